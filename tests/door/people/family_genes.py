from __future__ import annotations

from tests.door.people import Case

CASES = []

CASES.append(
    Case(
        name="columns_best_first_labs",
        family="genes",
        files={
            "top_genes_by_lab.csv": b"""\
Boston,Heidelberg,Lyon,Sevilla
TP53,MYC,TP53,BRCA1
MYC,TP53,EGFR,TP53
EGFR,KRAS,MYC,PTEN
KRAS,EGFR,,MYC
PTEN,,,EGFR
BRCA1,,,
"""
        },
        lists={
            "*": [
                [["TP53"], ["MYC"], ["EGFR"], ["KRAS"], ["PTEN"], ["BRCA1"]],
                [["MYC"], ["TP53"], ["KRAS"], ["EGFR"]],
                [["TP53"], ["EGFR"], ["MYC"]],
                [["BRCA1"], ["TP53"], ["PTEN"], ["MYC"], ["EGFR"]],
            ]
        },
        rankers={"*": ["Boston", "Heidelberg", "Lyon", "Sevilla"]},
        note="One column per lab, best gene on top, lists of different lengths, as pasted together for RobustRankAggreg.",
    )
)

CASES.append(
    Case(
        name="rank_matrix_methods",
        family="genes",
        files={
            "ranks_by_method.tsv": b"""\
Gene\tDESeq2_rank\tedgeR_rank\tlimma_rank\tchromosome
CDKN1A\t1\t2\t1\t6
MDM2\t2\t1\t3\t12
GDF15\t3\t4\t2\t19
BBC3\t4\t3\tNA\t19
FAS\t5\t6\t4\t10
SESN1\t6\t5\t5\t6
"""
        },
        lists={
            "*": [
                [["CDKN1A"], ["MDM2"], ["GDF15"], ["BBC3"], ["FAS"], ["SESN1"]],
                [["MDM2"], ["CDKN1A"], ["BBC3"], ["GDF15"], ["SESN1"], ["FAS"]],
                [["CDKN1A"], ["GDF15"], ["MDM2"], ["FAS"], ["SESN1"]],
            ]
        },
        note="Genes x methods with the rank of each gene (1 = top), NA where limma filtered the gene out; the chromosome column is an annotation.",
    )
)

CASES.append(
    Case(
        name="long_study_pvalue_logfc",
        family="genes",
        files={
            "meta_input.csv": b"""\
study,gene,logFC,p_value
GSE10245,SOX2,2.81,3.1e-09
GSE10245,KRT5,3.40,4.7e-12
GSE10245,TP63,2.95,1.2e-10
GSE10245,NKX2-1,-2.66,8.8e-06
GSE18842,SOX2,3.02,6.5e-11
GSE18842,KRT5,2.20,2.9e-07
GSE18842,TP63,2.41,1.4e-08
GSE31210,NKX2-1,-3.15,5.0e-13
GSE31210,KRT5,1.90,0.0021
GSE31210,SOX2,1.05,0.034
"""
        },
        lists={
            "*": [
                [["KRT5"], ["TP63"], ["SOX2"], ["NKX2-1"]],
                [["SOX2"], ["TP63"], ["KRT5"]],
                [["NKX2-1"], ["KRT5"], ["SOX2"]],
            ]
        },
        rankers={"*": ["GSE10245", "GSE18842", "GSE31210"]},
        sure=False,
        note="Long table, one row per study and gene; owner ranks genes within each study by p-value (small = best), but it could be by logFC: one would have to ask.",
    )
)

_MH = "id\tnum\tneg|score\tneg|p-value\tneg|fdr\tneg|rank\tneg|goodsgrna\tneg|lfc\tpos|score\tpos|p-value\tpos|fdr\tpos|rank\tpos|goodsgrna\tpos|lfc\n"
CASES.append(
    Case(
        name="mageck_gene_summaries",
        family="genes",
        files={
            "A375.gene_summary.txt": (
                _MH
                + "RPL8\t4\t7.1884e-13\t2.6873e-07\t0.000066\t1\t4\t-2.7520\t1.0\t1.0\t1.000000\t5\t0\t-2.7520\n"
                + "PSMB3\t4\t4.9934e-12\t5.3746e-07\t0.000081\t2\t4\t-2.7056\t0.99991\t0.99991\t1.000000\t4\t0\t-2.7056\n"
                + "POLR2A\t4\t3.2729e-06\t1.4243e-03\t0.105000\t3\t3\t-1.4231\t0.98730\t0.98720\t1.000000\t3\t0\t-1.4231\n"
                + "MED12\t4\t0.87112\t0.87050\t0.999998\t4\t0\t0.6120\t2.1450e-04\t1.0350e-03\t0.087129\t2\t3\t0.6120\n"
                + "NF1\t4\t0.99998\t0.99998\t1.000000\t5\t0\t2.1034\t5.6001e-08\t2.6873e-07\t0.000165\t1\t4\t2.1034\n"
            ).encode(),
            "HT29.gene_summary.txt": (
                _MH
                + "PSMB3\t4\t2.2081e-12\t2.6873e-07\t0.000070\t1\t4\t-3.0112\t1.0\t1.0\t1.000000\t5\t0\t-3.0112\n"
                + "POLR2A\t4\t8.9102e-10\t8.0620e-07\t0.000142\t2\t4\t-2.2047\t0.99983\t0.99983\t1.000000\t4\t0\t-2.2047\n"
                + "RPL8\t4\t1.0577e-09\t1.0749e-06\t0.000150\t3\t4\t-2.1155\t0.99970\t0.99969\t1.000000\t3\t0\t-2.1155\n"
                + "NF1\t4\t0.41020\t0.40988\t0.912000\t4\t1\t0.0831\t0.30214\t0.30190\t0.871000\t2\t1\t0.0831\n"
                + "MED12\t4\t0.78415\t0.78390\t0.995200\t5\t0\t0.2210\t0.10377\t0.10391\t0.604000\t1\t2\t0.2210\n"
            ).encode(),
        },
        lists={
            "*": [
                [["RPL8"], ["PSMB3"], ["POLR2A"], ["MED12"], ["NF1"]],
                [["PSMB3"], ["POLR2A"], ["RPL8"], ["NF1"], ["MED12"]],
            ]
        },
        sure=False,
        note="Two MAGeCK RRA gene_summary.txt files (drop-out screens in two cell lines); owner wants negative selection (neg|rank), but the file holds positive selection as well.",
    )
)

CASES.append(
    Case(
        name="limma_toptables",
        family="genes",
        files={
            "limma/cohortA_topTable.txt": b"""\
"logFC"\t"AveExpr"\t"t"\t"P.Value"\t"adj.P.Val"\t"B"
"IFIT1"\t3.812\t7.41\t18.22\t1.1e-12\t2.2e-08\t18.90
"MX1"\t3.105\t8.02\t16.40\t6.4e-12\t4.9e-08\t17.31
"ISG15"\t2.944\t9.15\t16.01\t9.5e-12\t4.9e-08\t16.94
"CD14"\t-1.870\t10.33\t-9.77\t2.8e-08\t9.3e-05\t9.12
"STAT1"\t1.402\t9.88\t8.10\t4.0e-07\t8.1e-04\t6.50
""",
            "limma/cohortB_topTable.txt": b"""\
"logFC"\t"AveExpr"\t"t"\t"P.Value"\t"adj.P.Val"\t"B"
"MX1"\t2.760\t7.88\t14.93\t3.7e-11\t7.4e-07\t15.60
"IFIT1"\t2.511\t7.20\t12.08\t9.0e-10\t9.0e-06\t12.47
"STAT1"\t1.655\t9.71\t9.90\t2.1e-08\t1.4e-04\t9.35
"ISG15"\t1.598\t9.02\t8.44\t2.3e-07\t1.1e-03\t7.02
"CD14"\t-0.410\t10.51\t-2.02\t0.061\t0.32\t-4.88
""",
            "limma/cohortC_topTable.txt": b"""\
"logFC"\t"AveExpr"\t"t"\t"P.Value"\t"adj.P.Val"\t"B"
"ISG15"\t4.020\t8.77\t20.15\t2.0e-13\t4.1e-09\t20.44
"MX1"\t3.330\t8.31\t17.06\t3.3e-12\t3.4e-08\t17.92
"CD14"\t-2.215\t10.08\t-11.30\t2.6e-09\t1.3e-05\t11.41
"IFIT1"\t2.180\t7.05\t10.72\t5.9e-09\t2.4e-05\t10.60
""",
        },
        lists={
            "*": [
                [["IFIT1"], ["MX1"], ["ISG15"], ["CD14"], ["STAT1"]],
                [["MX1"], ["IFIT1"], ["STAT1"], ["ISG15"], ["CD14"]],
                [["ISG15"], ["MX1"], ["CD14"], ["IFIT1"]],
            ]
        },
        note="limma topTable() written by R's write.table with sep tab: the header row is one field shorter than the data (row names); sorted by P.Value, as B and the row order agree; direction of change does not matter.",
    )
)

CASES.append(
    Case(
        name="deseq2_ordered_results",
        family="genes",
        files={
            "deseq2_day3.csv": b"""\
"","baseMean","log2FoldChange","lfcSE","stat","pvalue","padj"
"HMOX1",2210.45,4.105,0.212,19.36,1.6e-83,2.9e-79
"NQO1",1804.12,2.871,0.190,15.11,1.4e-51,1.3e-47
"GCLM",940.77,2.033,0.181,11.23,2.9e-29,1.8e-25
"TXNRD1",3120.90,1.544,0.160,9.65,4.9e-22,2.2e-18
"SRXN1",455.31,1.702,0.241,7.06,1.6e-12,5.9e-09
"MIR1-2",0,NA,NA,NA,NA,NA
""",
            "deseq2_day7.csv": b"""\
"","baseMean","log2FoldChange","lfcSE","stat","pvalue","padj"
"NQO1",1951.60,3.240,0.201,16.12,1.8e-58,3.3e-54
"HMOX1",2088.02,2.990,0.220,13.59,4.6e-42,4.2e-38
"TXNRD1",2975.48,1.690,0.155,10.90,1.1e-27,6.7e-24
"SRXN1",470.09,2.104,0.233,9.03,1.7e-19,7.8e-16
"GCLM",899.14,1.321,0.186,7.10,1.2e-12,4.4e-09
"MIR1-2",0.21,0.834,3.102,0.27,0.788,NA
""",
        },
        lists={
            "*": [
                [["HMOX1"], ["NQO1"], ["GCLM"], ["TXNRD1"], ["SRXN1"]],
                [["NQO1"], ["HMOX1"], ["TXNRD1"], ["SRXN1"], ["GCLM"], ["MIR1-2"]],
            ]
        },
        sure=False,
        note="DESeq2 results ordered by pvalue and written with write.csv (first header empty, one file per time point); MIR1-2 has no counts on day 3, so no p-value and no rank; on day 7 it has a pvalue but its padj is NA (independent filtering), so one would have to ask whether it is ranked last or not at all: the owner ranks by pvalue.",
    )
)

CASES.append(
    Case(
        name="excel_dates_for_genes",
        family="genes",
        files={
            "Candidate genes (three groups).csv": b"""\
Rank,Group Meyer,Group Tanaka,Group Dubois\r
1,CDC42,2-Sep,CDC42\r
2,2-Sep,CDC42,7-Sep\r
3,7-Sep,ANLN,2-Sep\r
4,ANLN,7-Sep,1-Mar\r
5,1-Mar,,ANLN\r
"""
        },
        lists={
            "*": [
                [["CDC42"], ["2-Sep"], ["7-Sep"], ["ANLN"], ["1-Mar"]],
                [["2-Sep"], ["CDC42"], ["ANLN"], ["7-Sep"]],
                [["CDC42"], ["7-Sep"], ["2-Sep"], ["1-Mar"], ["ANLN"]],
            ]
        },
        rankers={"*": ["Group Meyer", "Group Tanaka", "Group Dubois"]},
        sure=False,
        note="Excel turned SEPT2, SEPT7 and MARCH1 into 2-Sep, 7-Sep and 1-Mar before the sheet was saved as CSV; the owner means the genes, but 1-Mar could be MARCH1 or MARC1, so a reader must not guess: it reads what the cells hold, and says so; Rank is the row's place, no ranker.",
    )
)
