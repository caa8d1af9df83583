"""Words that people write in tables: names of columns, and cells that mean a place, a tie, nothing, or a sum."""

from __future__ import annotations

from typing import Final

from stagg.data.inputs.frames import LIKE_QUERY, LIKE_RANKER, MAYBE_QUERY, MAYBE_RANKER
from stagg.formats.patterns import pattern


def plain_name(name: str) -> str:
    """A column's name without capitals, blanks around it, and with underscores between its words.

    >>> plain_name(" E-Mail address")
    'e_mail_address'
    """
    return "_".join(name.strip(" \t").casefold().replace("-", " ").split())


# --- names of columns, as plain_name gives them -----------------------------------------------------------------------

QUERY_IDS: Final = ("qid", "q_id", "query_id", "queryid", "topic_id")
ITEM_IDS: Final = (
    "docid", "doc_id", "docno", "document_id", "documentid", "corpus_id", "passage_id", "passageid", "item_id",
    "itemid",
)  # fmt: skip
ALIASES: Final = {**dict.fromkeys(QUERY_IDS, "query"), **dict.fromkeys(ITEM_IDS, "item")}
"""Names that can mean nothing else, read without a word. A `pid` may be a passage or a participant, so it is none."""

STATISTICS: Final = {
    "p": ("p_value", "p.value", "pvalue", "p_val", "pval", "p"),
    "adjusted": (
        "adj.p.val", "adj_p_val", "adj_p_value", "p_val_adj", "p.adj", "p_adj", "padj", "p.adjust", "fdr", "q_value",
        "q.value", "qvalue", "qval", "fwer", "bonferroni",
    ),
    "effect": (
        "logfc", "log2fc", "log2foldchange", "log_fold_change", "log2_fold_change", "foldchange", "fold_change",
        "avg_log2fc", "avg_logfc", "lfc", "basemean", "aveexpr", "lfcse", "stat", "statistic", "t", "b", "f", "lr", "z",
        "zscore", "z_score", "z.std", "logcpm", "beta", "se", "stderr", "pct.1", "pct.2", "num", "goodsgrna",
        "odds_ratio", "effect", "effect_size", "es", "nes",
    ),
}  # fmt: skip
"""Names of statistics: p-values, those that are adjusted for many tests, and all that is written beside them."""
SMALL_NUMBERS: Final = (*(word for kind in ("p", "adjusted") for word in STATISTICS[kind] if word != "p"), "distance")
"""Names of numbers of which the small ones are better, whatever they are of."""
SURE_ROLES: Final = {
    word: role
    for role, words in {
        "query": ("topic", "question", "question_id", "election", "search_term", "search_query", "keyword"),
        "ranker": (
            "voter", "voter_id", "judge", "juror", "expert", "annotator", "reviewer", "rater", "assessor", "evaluator",
            "panelist", "respondent", "system", "run", "run_id", "runid", "engine", "search_engine", "retriever", "lab",
            "method", "algorithm", "study", "wähler", "électeur", "votante",
        ),
        "item": (
            "doc", "document", "passage", "url", "gene", "gene_symbol", "gene_name", "symbol", "candidate", "option",
            "alternative", "product", "product_id", "sku", "movie", "movie_id", "movieid", "film", "song", "book",
            "dokument", "kandidat", "candidat", "candidato",
        ),
        "rank": ("position", "place", "placement", "platz", "rang", "ranking", *SMALL_NUMBERS),
        "score": (
            "sim", "similarity", "cosine_similarity", "rating", "points", "punkte", "relevance_score",
            "similarity_score",
        ),
    }.items()
    for word in words
}  # fmt: skip
"""Names that can hardly mean anything else in a table of one row per listed item: read with a note."""
DESCRIBING: Final = (
    "title", "text", "snippet", "description", "comment", "comments", "note", "notes", "query_text", "reason",
)  # fmt: skip
"""Names of columns that tell more about a row, and never what is ranked, or how."""
PYTERRIER: Final = frozenset(("qid", "docno"))
"""Names of query and item in frames of PyTerrier."""
JUDGING_SHEET: Final = frozenset(("plan", "batch", "points"))
"""Columns that tell a sheet of ``stagg judge``, which has query, item and grade, and texts of both."""
DESCRIBED: Final = ("query", "docid")
"""Columns beside these that are no ids: the text of the query, and the number of the document in an index."""

QUERY_NAMES: Final = ("query", "query_id", "qid", "q_id", "topic", "question")
"""Keys of JSON objects that name the query."""

TIME_WORDS: Final = (
    "timestamp", "start_time", "completion_time", "last_modified_time", "start_date", "end_date", "submission_date",
    "submitted_at", "submitdate", "startdate", "datestamp", "zeitstempel", "horodateur", "marca_temporal",
    "informazioni_cronologiche", "tijdstempel", "carimbo_de_data/hora",
    "date_submitted", "date_started", "time_started", "time_submitted", "submit_date", "stage_date",
    "recorded_date", "recordeddate", "startdate", "enddate", "created_at", "updated_at",
    "completed_at", "started_at", "submission_time", "_submission_time", "submitted_on", "date_time",
    "datetime", "start_date_(utc)", "stage_date_(utc)", "submit_date_(utc)", "startzeit", "fertigstellungszeit",
    "zeitpunkt_der_letzten_änderung", "abgabedatum", "datum_abgeschickt", "heure_de_début", "heure_de_fin",
    "date_de_soumission", "hora_de_inicio", "hora_de_finalización", "fecha_de_envío", "hora_de_início",
    "hora_de_conclusão", "ora_di_inizio", "ora_di_completamento", "begintijd", "tijd_van_voltooien", "starttid",
    "sluttid", "tidstämpel", "tidsstempel", "aikaleima", "sygnatura_czasowa", "отметка_времени",
    "タイムスタンプ", "时间戳记", "타임스탬프",
)  # fmt: skip
"""Names of columns that tell when somebody answered: two voters may answer at the same time."""
ROW_WORDS: Final = (
    "id", "response_id", "responseid", "ballot", "ballot_id", "ballot_no", "ballot_no.", "ballot_nr", "ballot_nr.",
    "ballot_number", "ballot_#", "submission_id", "record_id", "recordid", "cast_vote_record", "cvr_number",
    "cvr", "cvr_id", "cvrnumber", "cvrid", "ballotid", "ballotnumber", "respondentid", "antwort_id", "réponse_id",
    "id_de_la_réponse", "id_de_respuesta", "papeleta",
    "papeleta_n.º", "stimmzettel", "_uuid",
)  # fmt: skip
"""Names of columns that number the answers: a voter who answers twice has two."""
PERSON_NAMES: Final = (
    "vor_und_nachname", "nom", "nom_et_prénom", "nombre", "nombre_completo", "nombre_y_apellidos", "nome",
    "nome_e_cognome", "nome_completo", "naam", "navn", "namn", "imię_i_nazwisko", "фио",
)  # fmt: skip
"""Names of columns that name a person, and perhaps something else."""
VOTER_WORDS: Final = (
    "voter", "name", "respondent", "participant", "judge", "expert", "reviewer", "email",
    "email_address", "voter_id", "voter_name", "person", "student", "member", "rater",
    "assessor", "evaluator", "juror", "panelist", "username", "full_name", "your_name",
    "student_id", "student_name", "member_id", "participant_id", "respondent_id", "judge_id",
    "reviewer_id", "employee", "employee_id", "person_id",
    "e_mail", "e_mail_address", "e_mail_adresse", "adresse_e_mail", "indirizzo_email", "e_mailadres",
    "dirección_de_correo_electrónico", "endereço_de_e_mail", "correo_electrónico",
    "adresse_email", "adresse_de_messagerie", "e_post", "e_postadress", "электронная_почта",
    "wähler", "wählerin", "électeur", "électrice", "votante", "elettore", "eleitor", "kiezer", "väljare",
    *PERSON_NAMES, *ROW_WORDS, *TIME_WORDS,
)  # fmt: skip
"""Names of columns that tell who answered, or when; those of Google's forms in other languages among them."""
PERSONS: Final = tuple(
    word for word in VOTER_WORDS if word not in ("name", "username", *PERSON_NAMES, *ROW_WORDS, *TIME_WORDS)
)
"""Names of a column that tell who answered, and no more than that."""
SURE_VOTERS: Final = tuple(word for word in VOTER_WORDS if word not in ("name", "id", *PERSON_NAMES))
"""Names of a column of voters that cannot be items as well."""
ABOUT_ANSWERS: Final = frozenset(
    ("first_name", "last_name", "surname", "vorname", "nachname", "prénom", "apellidos", "cognome",
     "start", "end", "started", "submitted", "completed", "token", "#", "case", "collector_id", "collectorid", "ip",
     "ip_address", "ipaddress", "submission_ip", "ip_adresse", "adresse_ip",
     "status", "response_type", "network_id", "tags", "ending", "progress", "finished", "duration",
     "duration_(in_seconds)", "time_taken", "time_spent", "total_time", "recipientlastname", "recipientfirstname",
     "recipientemail", "externalreference", "external_reference", "externaldatareference", "locationlatitude",
     "locationlongitude", "distributionchannel", "distribution_channel", "userlanguage", "user_language", "last_page",
     "lastpage", "start_language", "startlanguage", "seed", "contact_id", "language", "sessionid", "session_id",
     "user_agent", "useragent", "referer", "country", "city", "state/region", "postal", "custom_data", "custom_data_1",
     "redcap_survey_identifier", "redcap_event_name", "redcap_repeat_instance", "redcap_data_access_group",
     "serial", "ref", "questnnr", "mode", "lastdata", "lastpage", "maxpage", "missing", "missrel", "time_rsi",
     "deg_time", "mailsent", "q_viewer", "device", "browser", "url_variable", "link_name", "collector",
     "letzte_seite", "start_sprache", "dernière_page", "langue_de_départ", "última_página", "idioma_inicial",
     "zufallsstartwert",
     "punkte_insgesamt", "total_points", "quiz_feedback", "precinct", "ballot_style", "ballot_type", "tabulator",
     "tabulator_number", "tabulator_num", "unique_voting_identifier", "audit_number", "remade", "batch", "batch_id",
     "counting_group", "imprinted_id", "precinct_portion",
     "ward", "notes", "note", "comment", "comments", "remarks", "remark", "anmerkung", "anmerkungen", "bemerkung",
     "bemerkungen", "kommentar", "kommentare", "commentaire", "commentaires", "comentario", "comentarios", "commenti",
     "commento", "opmerking", "opmerkingen", "feedback")
)  # fmt: skip
"""Names of columns that services, and counting boards, write about an answer or a ballot: no candidates, no choices."""
TOOL_ENDS: Final = ("_timestamp", "_complete")
ABOUT_ENDS: Final = (
    *TOOL_ENDS, "_ip", "_ip_address", "_id", "_validation_status", "_uuid", "_language", "_utc",
    "_time", "_date", "_datum", "_zeit",
)  # fmt: skip
"""Ends of such names."""
DISPLAY_ORDER: Final = pattern(r"(?is).*_do(?:_[0-9]+)*|.*_[0-9]+_group|.*\bdisplay order\b.*")
"""Names of columns that tell in which order, and in which group, Qualtrics showed or put the options."""
ITEM_WORDS: Final = (
    "item", "doc", "document", "docid", "doc_id", "docno", "gene", "candidate", "product", "passage", "url", "symbol",
    "option", "alternative",
)  # fmt: skip
COUNT_WORDS: Final = (
    "multiplicity", "count", "counts", "votes", "voters", "ballots", "frequency", "freq", "number_of_votes",
    "number_of_voters", "number_of_ballots", "n_votes", "n_voters", "num_votes", "num_voters", "no._of_voters",
    "no._of_votes", "no._of_ballots", "#_of_voters", "#_of_votes", "#_of_ballots", "#_voters", "#_votes", "how_many",
    "stimmen", "anzahl", "anzahl_stimmen", "anzahl_der_stimmen", "wähler", "stimmenzahl", "votos", "número_de_votos",
    "n.º_de_votos", "votantes", "papeletas", "voix", "nombre_de_voix", "nombre_de_votes", "nombre_de_votants",
    "nb_voix", "nb_votes", "effectif", "voti", "numero_di_voti", "n._voti", "votanti", "stemmen", "aantal_stemmen",
    "aantal", "röster", "antal", "antal_röster", "stemmer", "äänet", "głosy", "liczba_głosów", "голоса", "票数",
    "得票数",
)  # fmt: skip
BALLOT_NAMES: Final = ("ballots", "votes", "rankings", "preferences", "stimmzettel", "bulletins", "papeletas")
"""Keys of JSON objects that name the ballots of an election."""
MAYBE_COUNTS: Final = ("n", "weight", "weights", "times", "number")
"""Names that may say how many voters a row stands for, and may say something else."""
COMPARERS: Final = (
    "ranker", *(word for word in SURE_VOTERS if word not in (*ROW_WORDS, *TIME_WORDS)), "judge_name", "judges",
    "annotator", "annotator_id", "annotator_name", "rater_id", "rater_name", "labeler", "labeller", "labeler_id",
    "grader", "grader_id", "assessor_id", "evaluator_id", "worker", "worker_id", "workerid", "user", "user_id",
    "userid", "juror_id", "bewerter", "gutachter",
)  # fmt: skip
"""Names of columns that tell who compared two contestants."""
FOUGHT_ON: Final = (
    "question", "question_id", "questionid", "query", "query_id", "qid", "prompt_id", "task", "task_id", "example_id",
    "instruction_id", "topic", "topic_id", "prompt", "instruction",
)  # fmt: skip
"""Names of columns that tell on which question two contestants met, the likelier first."""
SIDES: Final = (
    ("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"), ("one", "two"), ("home", "away"),
    ("home", "visitor"), ("home", "visiting"), ("home", "guest"), ("host", "guest"), ("white", "black"),
    ("red", "blue"), ("top", "bottom"), ("control", "treatment"), ("control", "variant"), ("baseline", "candidate"),
    ("player", "opponent"), ("team", "opponent"), ("model", "opponent"), ("model", "baseline"), ("model", "reference"),
    ("links", "rechts"), ("heim", "gast"), ("heim", "auswärts"), ("weiß", "schwarz"), ("weiss", "schwarz"),
    ("gauche", "droite"), ("domicile", "extérieur"), ("blancs", "noirs"), ("blanc", "noir"),
    ("izquierda", "derecha"), ("local", "visitante"), ("blancas", "negras"), ("casa", "ospite"), ("casa", "trasferta"),
    ("bianco", "nero"), ("mandante", "visitante"), ("thuis", "uit"), ("wit", "zwart"),
)  # fmt: skip
"""Words in the names of two columns that hold the two contestants of a battle."""
WINNERS: Final = (
    ("winner", "loser"), ("winning", "losing"), ("chosen", "rejected"), ("preferred", "rejected"),
    ("preferred", "dispreferred"), ("better", "worse"), ("sieger", "verlierer"), ("gewinner", "verlierer"),
    ("vainqueur", "perdant"), ("ganador", "perdedor"), ("vincitore", "perdente"),
)  # fmt: skip
"""Words in the names of two columns of which the first one holds the winners."""
EXTREMES: Final = (("best", "worst"), ("most", "least"), ("most_important", "least_important"))
"""Names of the two columns in which best-worst scaling keeps its answers."""
CONTESTANTS: Final = (
    "model", "player", "team", "system", "generator", "engine", "method", "contestant", "competitor", "candidate",
    "option", "variant", "item", "design", "doc", "document", "image", "spieler", "mannschaft", "verein", "equipe",
    "équipe", "jugador", "equipo", "squadra", "name", "id",
)  # fmt: skip
"""Words in the names of columns of contestants, the more telling first."""
SIDE_TEXTS: Final = frozenset(
    ("response", "output", "answer", "completion", "conversation", "text", "prompt", "instruction", "reason", "comment",
     "explanation", "rationale", "judgment", "judgement", "conv", "messages", "summary", "content", "url", "country",
     "coach", "manager", "city", "stadium", "rating", "elo", "tokens", "length", "len", "latency", "version",
     "rank", "seed", "age", "hand", "odds")
)  # fmt: skip
"""Words in the names of two columns that tell something of the contestants, rather than who they are."""
VERDICTS: Final = (
    "winner", "sieger", "gewinner", "vainqueur", "gagnant", "ganador", "vincitore", "vencedor", "winnaar", "chosen",
    "choice", "preferred", "selected", "wahl", "ftr", "result", "results", "outcome", "verdict", "decision", "res",
    "ergebnis", "resultat", "résultat", "resultado", "risultato", "uitslag", "preference", "pref", "better", "best",
    "won", "win", "wins", "winners", "vote", "label", "judgment", "judgement",
)  # fmt: skip
"""Words in the name of the column that says who won, the more telling first."""
GAME_SCORES: Final = frozenset(
    ("score", "scores", "goals", "goal", "points", "pts", "sets", "runs", "games", "votes", "tore", "punkte", "buts",
     "goles", "puntos", "gol", "punti", "hg", "ag", "fthg", "ftag")
)  # fmt: skip
"""Words in the names of two columns of numbers of which the larger one wins."""
WIN_COUNTS: Final = frozenset(
    (
        "wins",
        "win",
        "won",
        "victories",
        "siege",
        "gewonnen",
        "victoires",
        "victorias",
        "ganados",
        "vittorie",
        "vitórias",
    )
)
"""Words in the names of two columns of numbers that count the comparisons that each contestant won."""
LOST_COUNTS: Final = (
    ("wins", "losses"), ("win", "loss"), ("won", "lost"), ("wins", "loses"), ("w", "l"), ("siege", "niederlagen"),
    ("victoires", "défaites"), ("victorias", "derrotas"), ("vittorie", "sconfitte"),
)  # fmt: skip
"""Names of the same two columns as the first contestant sees them."""
VOTE_COUNTS: Final = frozenset(("vote", "votes", "stimmen", "voix", "votos", "voti", "stemmen"))
"""Words in the names of two columns of votes for each contestant: every vote may count, or who has more may win."""
GUESSES: Final = {
    "query": (*LIKE_QUERY, *MAYBE_QUERY),
    "ranker": (*LIKE_RANKER, *MAYBE_RANKER),
    "item": (
        *ITEM_WORDS, "document_id", "passage_id", "pid", "item_id", "itemid", "movie", "movie_id", "movieid", "name",
        "id", "title",
    ),
    "score": ("sim", "similarity", "value", "rating", "points", "punkte", "relevance", "weight", "prob", "probability"),
    "rank": ("position", "place", "pos", "platz", "rang", "ranking", "order", "preference", "priority", "choice"),
}  # fmt: skip
"""Names that tell a role well enough to propose it, and not well enough to take it."""
JUDGEMENTS: Final = (
    "label", "labels", "relevance", "relevant", "rel", "qrel", "qrels", "grade", "gold", "target", "truth",
)  # fmt: skip
"""Names of a column that judges items, and ranks none."""
LABEL_COLUMNS: Final = {
    "query": (
        (*QUERY_IDS, "query_no", "query_number", "question_id", "topicid", "topic_number", "search_id"),
        ("query", "topic", "question", "search", "search_query", "query_text", "search_term", "search_phrase",
         "keyword", "keywords", "search_keyword", "search_keywords", "request", "user_query", "suchanfrage", "anfrage",
         "frage", "requête", "consulta"),
        ("prompt", "user_input", "input", "term", "phrase"),
    ),
    "item": (
        (*ITEM_IDS, "corpus_id", "corpusid", "product_id", "productid", "pid", "asin", "sku", "article_id", "page_id",
         "chunk_id", "candidate_id", "result_id", "paper_id", "movie_id", "entity_id", "cord_uid"),
        ("item", "doc", "document", "product", "passage", "candidate", "article", "result", "page", "chunk", "gene",
         "movie", "dokument", "artikel", "produkt"),
        ("url", "uri", "link"),
        ("id",),
        ("text", "answer", "response", "title", "name"),
    ),
    "label": (
        (*JUDGEMENTS, "judgment", "judgement", "relevance_grade", "relevance_label", "relevance_judgment",
         "relevance_judgement", "relevance_score", "relevance_rating", "esci_label", "human_label", "gold_label",
         "relevanz", "bewertung"),
        ("rating", "ratings", "stars", "gain"),
        ("score", "value", "vote", "points"),
    ),
}  # fmt: skip
"""Names of the columns of a table of labels, the likelier first: an id comes before the text that it stands for."""
TEXT_COLUMNS: Final = {
    "documents": {
        "id": (*LABEL_COLUMNS["item"][0], "_id", "id", "did", *LABEL_COLUMNS["item"][1], *LABEL_COLUMNS["item"][2]),
        "title": ("title", "headline", "heading", "product_title", "product_name", "name", "titel", "titre"),
        "text": (
            "text", "contents", "content", "body", "passage", "segment", "abstract", "answer", "document", "doc",
            "description", "product_description", "snippet", "summary",
        ),
    },
    "queries": {
        "id": (*LABEL_COLUMNS["query"][0], "_id", "id", "number", "num", "topic"),
        "title": ("title",),
        "text": (
            "text", "query_text", "query", "question", "content", "contents", "body",
            *(word for tier in LABEL_COLUMNS["query"][1:] for word in tier if word not in ("query_text", "query")),
            "description", "utterance",
        ),
    },
    "names": {
        "id": ("name", "old", "old_name", "run", "ranker", "system", "from", "id"),
        "title": (),
        "text": ("new", "new_name", "label", "title", "shown", "to", "text"),
    },
}  # fmt: skip
"""Names of columns and keys of collections of texts: the id, the title and the text, the likelier first."""
LABEL_WORDS: Final = {
    "query": ("query", "question"),
    "label": ("relevance", "rating", "grade", "judgment", "judgement", "label"),
}
"""Words that tell such a column by a part of its name."""
YES_GRADES: Final = ("yes", "y", "true", "relevant")
NO_GRADES: Final = ("no", "n", "false", "not relevant", "irrelevant", "non relevant", "nonrelevant")
"""Grades in words that leave no doubt: 1 and 0."""
SCALES: Final = (
    ("irrelevant", "complement", "substitute", "exact"),
    ("i", "c", "s", "e"),
    ("bad", "fair", "good", "excellent", "perfect"),
    ("poor", "fair", "good", "excellent"),
    ("irrelevant", "related", "highly relevant", "perfectly relevant"),
    ("not relevant", "partially relevant", "relevant", "highly relevant"),
    ("not relevant", "marginally relevant", "relevant", "highly relevant"),
    ("irrelevant", "partially relevant", "relevant", "highly relevant"),
    ("not relevant", "somewhat relevant", "relevant", "very relevant"),
    ("irrelevant", "somewhat relevant", "relevant", "very relevant"),
    ("not relevant", "somewhat relevant", "highly relevant"),
    ("no", "partial", "yes"), ("no", "partly", "yes"), ("no", "maybe", "yes"),
    ("none", "low", "medium", "high"),
    ("bad", "ok", "good"), ("bad", "okay", "good"),
)  # fmt: skip
"""Scales of grades in words, the least first, to propose: the numbers are their owner's to choose."""
OPINIONS: Final = (
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree"),
    ("strongly disagree", "somewhat disagree", "neither agree nor disagree", "somewhat agree", "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("very dissatisfied", "dissatisfied", "neither satisfied nor dissatisfied", "satisfied", "very satisfied"),
    ("very unlikely", "unlikely", "neutral", "likely", "very likely"),
    ("not at all", "a little", "somewhat", "much", "very much"),
    ("not at all important", "slightly important", "moderately important", "very important", "extremely important"),
    ("not important", "somewhat important", "important", "very important"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("very bad", "bad", "okay", "good", "very good"), ("very bad", "bad", "neutral", "good", "very good"),
    ("reject", "poor", "acceptable", "good", "very good", "excellent"),
    ("hate", "dislike", "neutral", "like", "love"), ("never", "rarely", "sometimes", "often", "always"),
    ("low", "medium", "high"), ("very low", "low", "medium", "high", "very high"),
    ("stimme gar nicht zu", "stimme nicht zu", "neutral", "stimme zu", "stimme voll zu"),
    ("sehr schlecht", "schlecht", "mittel", "gut", "sehr gut"),
    ("à rejeter", "insuffisant", "passable", "assez bien", "bien", "très bien", "excellent"),
)  # fmt: skip
"""Scales of answers in a form, the least first, to propose."""
LIST_NAMES: Final = ("title", "ranking", "list")
"""Texts that may be the header of a list of ids."""
LIST_HEADERS: Final = (
    "item", "items", "gene", "genes", "gene_symbol", "gene_name", "symbol", "candidate", "candidates", "documents",
    "url", *ITEM_IDS,
)  # fmt: skip
"""Headers of a list of ids, and hardly ids."""
PLACE_NAMES: Final = ("rank", "position", "place", "pos", "platz", "rang")
INDEX_NAMES: Final = (*PLACE_NAMES, "", "#", "no", "no.", "nr", "nr.", "index", "order")
"""Names of a column that only counts."""
CHOICE_HINTS: Final = frozenset(
    ("last", "worst", "least", "bottom", "lowest", "final", "other", "favourite", "favorite", "choice", "preference",
     "vote")
)  # fmt: skip
"""Words in the name of a column of choices that do not say which choice."""

SUBJECTS: Final = frozenset(
    (
        "model", "system", "method", "approach", "algorithm", "classifier", "encoder", "retriever", "embedding",
        "framework", "library", "tool", "engine", "agent", "policy", "baseline", "variant", "configuration", "config",
        "vendor", "supplier", "provider", "bidder", "company", "brand", "platform", "software", "service", "proposal",
        "project", "applicant", "contestant", "competitor", "finalist", "athlete", "player", "team", "club", "driver",
        "rider", "skater", "gymnast", "diver", "dancer", "couple", "act", "song", "entry", "entrant", "exhibit", "dish",
        "recipe", "wine", "beer", "coffee", "restaurant", "hotel", "film", "movie", "game", "book", "car", "phone",
        "laptop", "university", "school", "college", "city", "country", "nation", "region", "material", "design",
        "idea", "feature", "compound",
        "modell", "verfahren", "methode", "anbieter", "lieferant", "bewerber", "bewerberin", "teilnehmer", "mannschaft",
        "verein", "produkt", "projekt", "angebot", "gericht", "wein", "hochschule", "stadt",
        "modèle", "méthode", "fournisseur", "produit", "équipe", "projet", "offre", "modelo", "método", "proveedor",
        "fornecedor", "producto", "produto", "equipo", "equipe", "proyecto", "projeto", "modello", "metodo",
        "fornitore", "prodotto", "squadra", "progetto", "leverancier", "ploeg",
    )
)  # fmt: skip
"""Names of a column of things that are measured or judged, one per row: the items of a table of scores."""
MEASURES: Final = frozenset(
    (
        "benchmark", "task", "dataset", "metric", "measure", "criterion", "criteria", "evaluation", "eval", "test_set",
        "testset", "subtask", "indicator", "kpi", "kriterium", "kriterien", "critère", "critères", "criterio",
        "criterios", "critério", "metrik", "métrique", "métrica", "aufgabe", "datensatz",
    )
)  # fmt: skip
"""Names of a column of measures, one per row: the rankers of a table of scores that has its items in columns."""
JUDGES: Final = frozenset(
    (
        "judge", "juror", "jury", "reviewer", "rater", "evaluator", "assessor", "expert", "panelist", "panellist",
        "examiner", "critic", "referee", "scorer", "grader", "marker", "annotator", "tester", "taster", "richter",
        "preisrichter", "juroren", "jurymitglied", "gutachter", "prüfer", "juge", "jurado", "juez", "giudice",
        "giurato", "jurylid", "arbitre", "evaluador", "avaliador", "experte", "expertin",
    )
)  # fmt: skip
"""First words of the names of columns that hold one judge's numbers: Judge 1, Reviewer B."""
ABOUT_WORDS: Final = frozenset(
    (
        "params", "param", "parameters", "parameter", "license", "licence", "lizenz", "licencia", "url", "urls", "link",
        "links", "website", "homepage", "doi", "arxiv", "github", "hash", "sha", "commit", "revision", "date", "datum",
        "year", "jahr", "released", "organization", "organisation", "org", "cutoff", "stderr", "std", "stdev", "stddev",
        "ci", "seed", "timestamp", "dimensions", "dimension", "dims", "dim", "email", "notes", "note", "comment",
        "comments", "remarks",
    )
)  # fmt: skip
"""Words in the name of a column that describes the items, and ranks none."""
ABOUT_NAMES: Final = frozenset(
    (
        "max seq len", "max seq length", "max length", "max len", "embedding size", "size gb", "size mb",
        "model size gb", "rank", "ranking", "overall rank", "final rank", "place", "position",
        "pos", "platz", "rang", "no", "nr",
        "index",
        "id", "row", "number", "nummer", "size", "model size", "file size", "vocab size", "vocabulary size", "layers",
        "max tokens", "sequence length", "max sequence length", "version", "type", "architecture", "country", "land",
        "sd",
        "se", "sem", "standard error", "standard deviation", "n total", "variance", "var", "range", "spread", "iqr",
        "min", "max", "minimum", "maximum",
    )
)  # fmt: skip
"""Whole names of such columns."""
MAYBE_ABOUT: Final = frozenset(
    (
        "votes", "zero shot", "context", "context window", "context length", "context size", "age", "weight",
        "downloads",
        "likes", "hub likes", "followers", "employees", "founded", "population", "reviews", "number of reviews",
        "review count", "matches", "games", "games played", "samples", "n", "count", "attempts", "runs",
        "training tokens",
        "tokens", "vram", "memory usage", "gpu memory", "search volume", "hub", "generation", "co₂ cost", "co cost",
        "avg length", "average length",
    )
)  # fmt: skip
"""Whole names of columns that may describe the items, and may rank them."""
ROUNDS: Final = frozenset(
    ("round", "lap", "heat", "hole", "race", "stage", "leg", "runde", "lauf", "etappe", "tour", "manche",
     "ronda")
)  # fmt: skip
"""Words for the parts of a contest, in which small numbers may be better."""
MEAN_MEASURES: Final = frozenset(
    ("reciprocal", "average", "precision", "iou", "intersection", "squared", "absolute", "error", "percentage",
     "opinion", "time", "latency", "length", "rank", "age", "price", "cost", "delay", "speed", "reward", "return",
     "percentile")
)  # fmt: skip
"""Words that follow "mean" or "average" in the name of a measure: mean reciprocal rank, average precision."""
SUMMARY_FILLERS: Final = frozenset(
    ("score", "scores", "points", "point", "pts", "rating", "grade", "mark", "marks", "result", "results", "final",
     "all",
     "of", "weighted", "global", "macro", "micro", "the", "note", "punkte", "ergebnis", "puntos", "puntuación",
     "grand", "rank",
     "ranks", "rang", "place")
)  # fmt: skip
"""Words beside those of SUMMARIES in the name of a column that sums up the others."""

RANK_NAME: Final = pattern(r"(?:^|[^a-z])(?<!\bts )(?<!\bpage )(?:rank|ranks|ranking|position|place)(?:$|[^a-z])")
SCORE_NAME: Final = pattern(
    r"[↑⬆▲]|(?:^|[^a-z])(?:score|scores|ts rank|ts rank cd|page ?rank|similarity|sim|rating|ratings|points|"
    r"pts|accuracy|acc|f1|f1 score|bleu|"
    r"chrf|rouge|"
    r"rouge[ -]?[12l]|meteor|comet|auc|auroc|auprc|roc[ -]auc|ndcg|map|mrr|recall|precision|hits|r2|elo|"
    r"cosine|inner product|dot product|em|exact match|"
    r"win ?rate|winrate|pass|quality|throughput|tokens ?/ ?s(?:ec)?|tokens per second|tps|qps|fps|speedup|speed|psnr|"
    r"ssim|iou|miou|dice|kappa|marks?|mmlu|gsm8k|hella ?swag|arc[ -][ce]|wino ?grande|truthful ?qa|human ?eval|"
    r"mbpp|gpqa|bbh|"
    r"ifeval|wins|goals|punkte|puntos|punti|qualität|qualité|calidad|qualidade|qualità|genauigkeit|"
    r"higher is better)(?:$|[^a-z])"
)
SMALL_IS_TOP: Final = pattern(
    r"^(?:neg|pos)[|]score$|"
    r"[↓⬇▼]|(?:^|[^a-z])(?:p|q|p[ _-]?val(?:ue)?s?|q[ _-]?val(?:ue)?s?|padj|adj[ _-]?p|fdr|fwer|dist|distance|"
    r"errors?|err|"
    r"loss|losses|nll|neg(?:ative)? log likelihood|rmse|mse|mae|mape|smape|wer|cer|ter|eer|fid|kid|lpips|ece|"
    r"brier|bpb|bpc|ppl|perplexity|cost|"
    r"costs|price|prices|fees?|time|runtime|duration|latency|ttft|tpot|ms(?! marco)|msec|seconds|secs|"
    r"rank[ _-]?sum|memory|"
    r"mem|ram|"
    r"rtf|l2|euclidean|euclid|energy|emissions|co2|co₂|flops|overhead|defects|bugs|issues|complaints|crashes|failures|"
    r"faults|penalty|penalties|strokes|lower is better|preis|"
    r"kosten|"
    r"dauer|zeit|laufzeit|lieferzeit|latenz|perplexität|fehler|fehlerrate|latence|latencia|latência|latenza|temps|"
    r"tiempo|prix|coût|coste|costo|precio|preço|prezzo|prijs)(?:$|[^a-z])"
)
"""Names of numbers of which the small ones are better, as a rule."""
NEGATIVE_LOG: Final = pattern(
    r"(?:^|[^a-z])(?:[-\u2212\u2013] ?|minus[ _-]?|neg(?:ative)?[ _-]?|[mn])log(?:10|"
    r"2)?[ _.({]*(?:adj[ _.]?)?(?:p|q|fdr)"
)
"""Names of negative logarithms, of which the large ones are better, though those of p-values are not: -log10(p)."""
DISTANCE: Final = pattern(r"(?:^|[^a-z])(?:dist|distance|distances|l2|euclidean|euclid)(?:$|[^a-z])")
"""Names of numbers of which the small ones are nearer."""
MAYBE_SMALL: Final = pattern(
    r"(?:^|[^a-z])(?:p|q|dist|distance|ram|kid|score|scores|rating|ratings|points|pts|quality|battery|energy|saved|"
    r"saving|savings|reduction|improvement|flops|efficiency)(?:$|[^a-z])"
)
"""Words in such a name that leave a doubt: "price score", "time saved"."""

# --- cells ------------------------------------------------------------------------------------------------------------

ORDINALS: Final = (
    ("first", "erste", "erster", "erstes", "erst", "premier", "premiere", "primera", "primero", "primer", "prima",
     "primo", "primeira", "primeiro", "eerste", "forsta", "forste", "erstwahl", "erststimme", "ensimmainen", "pierwszy",
     "pierwsza", "первыи", "первая"),
    ("second", "zweite", "zweiter", "zweites", "zweit", "deuxieme", "seconde", "segunda", "segundo", "seconda",
     "secondo", "tweede", "andra", "anden", "andre", "zweitwahl", "zweitstimme", "toinen", "drugi", "druga", "второи",
     "вторая"),
    ("third", "dritte", "dritter", "drittes", "dritt", "troisieme", "tercera", "tercero", "tercer", "terza", "terzo",
     "terceira", "terceiro", "derde", "tredje", "drittwahl", "drittstimme", "kolmas", "trzeci", "trzecia", "третии",
     "третья"),
    ("fourth", "vierte", "vierter", "viertes", "quatrieme", "cuarta", "cuarto", "quarta", "quarto", "vierde", "fjarde",
     "fjerde", "neljas", "czwarty", "czwarta", "четвертыи", "четвертая"),
    ("fifth", "funfte", "funfter", "funftes", "cinquieme", "quinta", "quinto", "vijfde", "femte", "viides", "piaty",
     "piata", "пятыи", "пятая"),
    ("sixth", "sechste", "sechster", "sechstes", "sixieme", "sexta", "sexto", "sesta", "sesto", "zesde", "sjatte",
     "sjette"),
    ("seventh", "siebte", "siebter", "siebtes", "septieme", "septima", "septimo", "settima", "settimo", "setima",
     "setimo", "zevende", "sjunde", "syvende"),
    ("eighth", "achte", "achter", "achtes", "huitieme", "octava", "octavo", "ottava", "ottavo", "oitava", "oitavo",
     "achtste", "attonde", "ottende"),
    ("ninth", "neunte", "neunter", "neuntes", "neuvieme", "novena", "noveno", "nona", "nono", "negende", "nionde",
     "niende"),
    ("tenth", "zehnte", "zehnter", "zehntes", "dixieme", "decima", "decimo", "tiende", "tionde"),
    ("eleventh", "elfte", "onzieme", "undecima", "undicesima"),
    ("twelfth", "zwolfte", "douzieme", "duodecima", "dodicesima"),
)  # fmt: skip
"""Words for first, second, third, …, without accents."""
SUFFIXES: Final = ("st", "nd", "rd", "th", "er", "ere", "eme", "ieme", "nde", "ste")
"""Ends of a number that make it an ordinal by themselves."""
WEAK_SUFFIXES: Final = (
    "a", "o", "e", "i", "re", "de", "ro", "ra", "do", "da", "to", "ta", "os", "as", "er", "й", "и", "ыи", "ои", "я",
    "ая", "ья",
)  # fmt: skip
"""Ends that make it one beside a word for a choice: 1a is an id, 1a scelta is a place."""
CHOICE_WORDS: Final = frozenset(
    ("choice", "choices", "preference", "preferences", "pref", "prefs", "rank", "ranked", "ranking", "place",
     "position", "pick", "vote", "best", "option", "priority",
     "wahl", "prioritat", "praferenz", "platz", "rang", "rangfolge", "stelle", "wunsch", "stimme", "reihenfolge",
     "choix", "classement", "priorite", "opcion", "preferencia", "eleccion", "lugar", "puesto", "posicion", "prioridad",
     "scelta", "preferenza", "posto", "posizione", "priorita", "escolha", "opcao", "preferencia", "posicao",
     "prioridade", "keuze", "voorkeur", "plaats", "plek", "val", "valg", "plats", "plass", "prioritet", "valinta",
     "sija", "wybor", "miejsce", "выбор", "место", "приоритет")
)  # fmt: skip
"""Words beside an ordinal that make it a place, without accents: first choice, rank 3."""
OPTION_WORDS: Final = frozenset(("option", "opcion", "opcao", "eleccion"))
"""Those that are candidates with a number behind them: option 1 is no place, first option is one."""
BESIDE_CHOICES: Final = frozenset(
    ("my", "your", "the", "is", "of", "for", "ma", "mon", "mi", "tu", "su", "votre", "mein", "meine", "ihre", "deine",
     "la", "le", "el", "der", "die", "das", "most", "favourite", "favorite", "least", "top", "highest", "lowest",
     "preferred", "important", "mijn", "il", "mia", "minha", "a", "o")
)  # fmt: skip
"""Words that may stand beside these in a cell that names a place."""
EAST_ASIAN: Final = pattern(
    r"第?\s?([0-9]{1,2}|[一二三四五六七八九十])\s?(?:希望|志望|志愿|位|選択|选择|選|选|名|番|순위|지망|희망)(?:選択|选择)?"
)
"""Places as Japanese, Chinese and Korean forms name them: 第1希望, 1位, 第一选择."""
TICKS: Final = (("x", ""), ("✓", "✗"), ("✔", "✘"), ("☑", "☐"), ("yes", "no"), ("y", "n"), ("true", "false"), ("ok", ""))
"""Signs that people write for yes and for no."""
HALF_TICKS: Final = ("(ok)", "(x)", "(yes)", "if need be", "ifneedbe", "maybe")
"""Signs between yes and no."""
TIE_TOKENS: Final = frozenset(
    ("tie", "ties", "tied", "draw", "draws", "drawn", "equal", "equally", "even", "both", "bothbad", "bothgood",
     "neither", "same", "similar", "preference", "difference", "unentschieden", "remis", "gleich", "nul", "égalité",
     "empate", "tablas", "pareggio", "patta", "gelijk", "gelijkspel")
)  # fmt: skip
"""Words that say in a verdict that nobody won: "tie (bothbad)", "both are good", "no preference"."""
BESIDE_TIE: Final = frozenset(("bad", "good", "no", "the", "about", "are", "it", "is", "a", "or", "all", "match", "by"))
"""Words beside them."""
SEEN_BY_FIRST: Final = (("player", "opponent"), ("team", "opponent"), ("model", "opponent"), ("model", "baseline"))
"""Sides of which the first one wins or loses."""
WINS: Final = (("win", "loss"), ("won", "lost"), ("wins", "loses"), ("w", "l"), ("victory", "defeat"))
"""Verdicts as the first contestant sees them."""
FILLERS: Final = frozenset(
    ("model", "response", "option", "player", "team", "assistant", "answer", "output", "choice", "system", "side",
     "candidate", "wins", "win", "won", "is", "was", "better", "best", "the", "slightly", "much", "significantly",
     "clearly", "strongly", "far", "preferred", "prefer", "i", "winner", "one")
)  # fmt: skip
"""Words around the side in a verdict, such as "Response A is slightly better"."""
YES: Final = ("1", "true", "yes", "y", "x", "tie", "tied", "draw")
NO: Final = ("0", "false", "no", "n", "")
"""Cells of a column that says whether a comparison is a tie."""
ORDER_MARKS: Final = (">", "→", "≻", "»")
"""Marks that tell an order, which names hardly have."""
VOTE_MARKS: Final = (*ORDER_MARKS, ";", "|", ",")
"""Marks between the choices of a vote in one cell."""
NO_NUMBERS: Final = (
    "na", "n/a", "#n/a", "n.a.", "n. a.", "k.a.", "k. a.", "n/d", "n.d.", "null", "none", "-", "--", "---", "–", "—",
    "―", "−", "?", "tbd", "tba", "t.b.d.", "pending", "missing", "not reported", "not available", "not tested",
    "no data", "unknown", "…", "...", "cannot", "nr", "n/r", "nd", "not run", "not evaluated", "not ranked", "unranked",
    "oom", "timeout", "✗", "✘", "dnf", "dns", "dnq", "dsq", "did not finish", "did not start",
)  # fmt: skip
"""Texts that people write for a missing number; NaN is not one of them."""
CURRENCIES: Final = (
    r"US\$", r"A\$", r"AU\$", r"C\$", r"CA\$", r"HK\$", r"NZ\$", r"R\$", r"S\$", r"\$", "€", "£", "¥", "₹", "₩", "₽",
    "₺", "฿",
    "₪", "₫", "₴", "¢", "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "RMB", "INR", "AUD", "CAD", "NZD", "SEK", "NOK",
    "DKK",
    "PLN", "CZK", "HUF", "BRL", "MXN", "ZAR", "KRW", "SGD", "HKD", "TRY", "kr", r"Fr\.", r"Rs\.?", "zł", "Kč", "Ft",
)  # fmt: skip
"""Signs and codes of currencies beside a number, as regular expressions."""
MULTIPLIERS: Final = {
    "k": 1e3, "K": 1e3, "tsd": 1e3, "Tsd": 1e3, "m": 1e6, "M": 1e6, "mm": 1e6, "MM": 1e6, "mn": 1e6, "Mn": 1e6,
    "mio": 1e6,
    "Mio": 1e6, "mln": 1e6, "million": 1e6, "B": 1e9, "b": 1e9, "bn": 1e9, "Bn": 1e9, "mrd": 1e9, "Mrd": 1e9,
    "billion": 1e9,
    "T": 1e12, "trillion": 1e12,
}  # fmt: skip
"""Letters and words behind a number that multiply it."""
UNITS: Final[tuple[dict[str, float], ...]] = (
    {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0,
     "seconds": 1.0, "min": 60.0, "mins": 60.0, "minute": 60.0, "minutes": 60.0, "h": 3600.0, "hr": 3600.0,
     "hrs": 3600.0,
     "hour": 3600.0, "hours": 3600.0, "d": 86400.0, "day": 86400.0, "days": 86400.0},
    {"B": 1.0, "KB": 1e3, "kB": 1e3, "KiB": 1024.0, "MB": 1e6, "MiB": 1024.0**2, "GB": 1e9, "GiB": 1024.0**3,
     "TB": 1e12,
     "TiB": 1024.0**4},
    {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "km": 1e3},
    {"mg": 1e-6, "g": 1e-3, "kg": 1.0, "t": 1e3},
)  # fmt: skip
"""Units of one kind, which may stand in one column: 900 ms, 1.2 s."""
NO_ANSWERS: Final = (
    "none", "n/a", "na", "nan", "null", "abstain", "no preference", "no choice", "no answer", "not ranked", "blank",
    "undervote", "overvote", "skipped", "uwi",
)  # fmt: skip
"""Words that people write where there is no choice."""
GENE_MONTHS: Final = {
    "sep": "SEPT", "sept": "SEPT", "mar": "MARCH", "mars": "MARCH", "mär": "MARCH", "mrz": "MARCH", "dec": "DEC",
    "dez": "DEC", "oct": "OCT", "okt": "OCT", "nov": "NOV", "apr": "APR", "feb": "FEB",
}  # fmt: skip
"""Months as spreadsheets write them, and the genes of which they make dates: SEPT2, MARCH1."""
EMPTY_MARKS: Final = ("undervote", "undervotes", "skipped", "skipped ranking", "blank", "no vote", "under vote")
SPOILT_MARKS: Final = ("overvote", "overvotes", "over vote")
"""Words of cast vote records for a place without a mark, and for a place with several."""
NO_PLACES: Final = frozenset(
    ("n/a", "na", "none", "-", "–", "—", "not ranked", "unranked", "no rank", "no preference", "no opinion",
     "not applicable", "null", "nan", "abstain", "no choice", "not selected", "don't know", "do not rank",
     "keine angabe", "k. a.", "k.a.", "ohne", "sans avis", "sans opinion", "aucun", "aucune", "ninguna", "ninguno",
     "sin preferencia", "nessuna", "nenhuma", "geen", "geen mening", "-9", "-99", "-999", "-1", "-77", "-66")
)  # fmt: skip
"""Cells in the place of a place that mean that there is none, the codes of surveys for no answer among them."""
TOP_CELLS: Final = ("best", "most preferred", "favourite", "favorite", "most favourite", "most favorite", "top choice")
LAST_CELLS: Final = ("worst", "least preferred", "least favourite", "least favorite", "last", "last choice")
"""Cells, without accents, that mean the first or the last place."""
RANKING_WORDS: Final = frozenset(
    ("rank", "ranks", "ranked", "ranking", "order", "ordering", "priority", "prioritize", "prioritise", "preference",
     "preferences", "prefer", "preferred", "reihenfolge", "rang", "rangfolge", "rangordnung", "ordnen", "sortieren",
     "classez", "classer", "classement", "ordre", "ordonnez", "hierarchisez", "ordena", "ordene", "ordenar", "orden",
     "clasifica", "clasifique", "ranking", "preferencia", "ordina", "ordinare", "classifica", "classificate", "ordine",
     "ordem", "classifique", "rangschik", "rangschikken", "volgorde", "rangordna", "ordning", "rangering", "ranger",
     "rangerer", "jarjesta", "jarjestys", "uszereguj", "ranguj")
)  # fmt: skip
"""Words, without accents, of a question that asks for an order."""
ORDER_WORDS: Final = frozenset(("order", "ordering", "ordre", "orden", "ordem", "ordine", "ordning", "ranger"))
"""Those that may mean an order of goods as well."""
RESPONSE_WORDS: Final = frozenset(
    ("response", "open-ended response", "open ended response", "antwort", "offene antwort", "réponse",
     "réponse ouverte", "respuesta", "respuesta abierta", "risposta", "resposta", "antwoord")
)  # fmt: skip
"""Texts below the questions of a survey that are no options."""
SUMMARIES: Final = (
    "total", "totals", "sum", "mean", "average", "avg", "median", "overall", "grand total", "std", "stdev",
    "subtotal", "aggregate", "gesamt", "summe", "durchschnitt", "mittelwert", "schnitt", "insgesamt", "gesamtsumme",
    "gesamtpunkte", "ø", "somme", "moyenne", "médiane", "suma", "promedio", "media", "médio", "média", "soma", "somma",
    "totale", "gemiddelde", "totaal", "medelvärde", "snitt", "genomsnitt", "σ", "średnia", "razem",
)  # fmt: skip
"""Names of rows and columns that sum up the others."""
SUMMARY_ROWS: Final = frozenset(
    (*SUMMARIES, "count", "counts", "subtotal", "total votes", "total ballots", "sums", "averages", "means",
     "gesamt", "summe", "insgesamt", "gesamtsumme", "mittelwert", "durchschnitt", "anzahl", "totaux", "somme",
     "moyenne", "total général", "suma", "totales", "promedio", "total general", "totale", "somma",
     "média", "totaal", "gemiddelde", "totalt", "summa", "medel", "sum total", "yhteensä",
     "razem", "średnia", "итого", "всего", "среднее", "合計", "平均")
)  # fmt: skip
"""Names of rows below a table that sum up the rows above."""
BEST_WORDS: Final = frozenset(
    ("best", "most", "favourite", "favorite", "top", "highest", "first", "love", "better", "beste", "bester", "bestes",
     "wichtigste", "wichtigster", "liebsten", "lieblings", "hochste", "prefere", "preferee", "meilleur", "meilleure",
     "plus", "mejor", "favorito", "favorita", "mas", "migliore", "preferito", "preferita", "piu", "melhor", "mais",
     "liefst", "meest", "favoriet", "bast", "bedst", "good", "great", "excellent", "gut", "bon", "bonne", "bueno",
     "buena", "buono", "bom", "boa", "goed")
)  # fmt: skip
WORST_WORDS: Final = frozenset(
    ("worst", "least", "lowest", "last", "hate", "bottom", "poor", "bad", "schlechteste", "schlecht", "unwichtigste",
     "wenigsten", "pire", "moins", "peor", "menos", "peggiore", "meno", "pior", "slechtst", "minst", "samst", "varst")
)  # fmt: skip
"""Words, without accents, that a question writes beside a number: 1 = best, 5 = least."""
