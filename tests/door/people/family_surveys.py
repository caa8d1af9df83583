from __future__ import annotations

from tests.door.people import Case

CASES = []

CASES.append(
    Case(
        name="surveymonkey_ranking_two_headers",
        family="surveys",
        files={
            "Benefits Survey.csv": """\
\ufeffRespondent ID,Collector ID,Start Date,End Date,IP Address,Email Address,First Name,Last Name,Custom Data 1,Please rank the following benefits in order of importance to you.,,,,What is your department?
,,,,,,,,,Health insurance,Pension,Flexible hours,Gym membership,Open-Ended Response
118002347711,431882901,03/11/2024 09:15:02 AM,03/11/2024 09:17:40 AM,203.0.113.10,,,,,1,2,3,4,Finance
118002351208,431882901,03/11/2024 09:31:55 AM,03/11/2024 09:33:12 AM,203.0.113.24,,,,,3,2,1,4,Marketing
118002360094,431882901,03/11/2024 10:02:37 AM,03/11/2024 10:06:01 AM,203.0.113.77,,,,,2,1,3,N/A,Finance
118002377430,431882901,03/11/2024 11:48:20 AM,03/11/2024 11:50:09 AM,198.51.100.3,,,,,4,3,1,2,IT
118002391556,431882901,03/11/2024 02:21:44 PM,03/11/2024 02:24:30 PM,198.51.100.19,,,,,1,3,2,4,HR
""".encode("utf-8")
        },
        lists={
            "*": [
                [["Health insurance"], ["Pension"], ["Flexible hours"], ["Gym membership"]],
                [["Flexible hours"], ["Pension"], ["Health insurance"], ["Gym membership"]],
                [["Pension"], ["Health insurance"], ["Flexible hours"]],
                [["Flexible hours"], ["Gym membership"], ["Pension"], ["Health insurance"]],
                [["Health insurance"], ["Flexible hours"], ["Pension"], ["Gym membership"]],
            ]
        },
        note="SurveyMonkey 'All responses data' CSV: question text once in header row 1, the options in header row 2 (Open-Ended Response under a text question); N/A allowed in the ranking question.",
    )
)

_Q_HEAD = "StartDate,EndDate,Status,IPAddress,Progress,Duration (in seconds),Finished,RecordedDate,ResponseId,DistributionChannel,UserLanguage,Q1,Q2_1,Q2_2,Q2_3,Q2_4\n"
_Q_TEXT = (
    "Start Date,End Date,Response Type,IP Address,Progress,Duration (in seconds),Finished,Recorded Date,Response ID,Distribution Channel,User Language,"
    "What is your age?,"
    "Please rank these streaming services from most to least liked. - Netflix,"
    "Please rank these streaming services from most to least liked. - Disney+,"
    "Please rank these streaming services from most to least liked. - Hulu,"
    "Please rank these streaming services from most to least liked. - Max\n"
)
_Q_IDS = (
    ",".join(
        [
            '"{""ImportId"":""%s""}"' % i  # noqa: UP031
            for i in (
                "startDate",
                "endDate",
                "status",
                "ipAddress",
                "progress",
                "duration",
                "finished",
                "recordedDate",
                "_recordId",
                "distributionChannel",
                "userLanguage",
                "QID1_TEXT",
                "QID2_1",
                "QID2_2",
                "QID2_3",
                "QID2_4",
            )
        ]
    )
    + "\n"
)
CASES.append(
    Case(
        name="qualtrics_three_headers_rank_order",
        family="surveys",
        files={
            "Streaming study_April 8, 2024_10.14.csv": (
                _Q_HEAD
                + _Q_TEXT
                + _Q_IDS
                + """\
2024-04-02 08:11:20,2024-04-02 08:14:02,IP Address,192.0.2.14,100,162,True,2024-04-02 08:14:03,R_3kQx1vT0bYw2ZpL,anonymous,EN,34,1,3,2,4
2024-04-02 09:40:05,2024-04-02 09:41:51,IP Address,192.0.2.61,100,106,True,2024-04-02 09:41:52,R_1gN7sD5mHc9AaUe,anonymous,EN,27,2,1,4,3
2024-04-02 12:25:33,2024-04-02 12:29:10,IP Address,192.0.2.88,100,217,True,2024-04-02 12:29:11,R_2xYbE4kPo8RfWtJ,anonymous,EN,51,1,2,3,4
2024-04-03 17:02:48,2024-04-03 17:05:15,IP Address,192.0.2.130,100,147,True,2024-04-03 17:05:16,R_0aVhM6uLq3CzNiG,anonymous,EN,45,4,3,1,2
2024-04-03 19:30:01,2024-04-03 19:31:12,IP Address,192.0.2.77,60,71,False,2024-04-10 19:31:13,R_9cTjF2wXs7BdKoQ,anonymous,EN,22,,,,
"""
            ).encode("utf-8")
        },
        lists={
            "*": [
                [["Netflix"], ["Hulu"], ["Disney+"], ["Max"]],
                [["Disney+"], ["Netflix"], ["Max"], ["Hulu"]],
                [["Netflix"], ["Disney+"], ["Hulu"], ["Max"]],
                [["Hulu"], ["Max"], ["Disney+"], ["Netflix"]],
            ]
        },
        note="Qualtrics CSV: three header rows (names, question text, ImportId JSON), a Rank Order question Q2; the last respondent broke off and ranked nothing; age is another question.",
    )
)

CASES.append(
    Case(
        name="limesurvey_ranking_columns",
        family="surveys",
        files={
            "results-survey482913.csv": b"""\
"Response ID","Date submitted","Last page","Start language","Seed","Please rank your preferred workshop formats. [Ranking 1]","Please rank your preferred workshop formats. [Ranking 2]","Please rank your preferred workshop formats. [Ranking 3]","Please rank your preferred workshop formats. [Ranking 4]","Do you have any comments?"
"1","2024-01-15 10:02:00","1","en","1284478120","Hands-on lab","Panel","Lecture","Poster session",""
"2","2024-01-15 10:20:00","1","en","872210391","Lecture","Hands-on lab","","","Too many posters last year"
"4","2024-01-15 13:44:00","1","en","1960027755","Panel","Lecture","Hands-on lab","Poster session",""
"5","2024-01-16 08:31:00","1","en","330195841","Hands-on lab","Lecture","Poster session","",""
"""
        },
        lists={
            "*": [
                [["Hands-on lab"], ["Panel"], ["Lecture"], ["Poster session"]],
                [["Lecture"], ["Hands-on lab"]],
                [["Panel"], ["Lecture"], ["Hands-on lab"], ["Poster session"]],
                [["Hands-on lab"], ["Lecture"], ["Poster session"]],
            ]
        },
        note="LimeSurvey CSV, headings = full question text, answers = full answers: columns [Ranking 1].. hold the options, best first, empty when fewer were ranked.",
    )
)

CASES.append(
    Case(
        name="redcap_raw_direction_in_dictionary",
        family="surveys",
        files={
            "StorePriorities_DATA_2024-03-18_1102.csv": b"""\
record_id,redcap_survey_identifier,store_priorities_timestamp,price,service,range,location,store_priorities_complete
1,,"2024-03-12 09:04:11",1,3,2,4,2
2,,"2024-03-12 10:45:52",2,1,4,3,2
3,,"2024-03-13 15:20:30",1,2,3,4,2
4,,"2024-03-14 08:57:03",4,2,1,3,2
5,,"2024-03-15 18:33:19",3,1,2,4,2
"""
        },
        lists={
            "*": [
                [["price"], ["range"], ["service"], ["location"]],
                [["service"], ["price"], ["location"], ["range"]],
                [["price"], ["service"], ["range"], ["location"]],
                [["range"], ["service"], ["location"], ["price"]],
                [["service"], ["range"], ["price"], ["location"]],
            ]
        },
        sure=False,
        note="REDCap raw data export of a ranking matrix; owner: 1 = most important, but that is only in the data dictionary; record_id, timestamp and ..._complete (2 = complete) are REDCap's own columns.",
    )
)

CASES.append(
    Case(
        name="alchemer_drag_and_drop",
        family="surveys",
        files={
            "20240522083014-SurveyExport.csv": b"""\
"Response ID","Time Started","Date Submitted","Status","Contact ID","Language","SessionID","User Agent","IP Address","Country","City","Reliability:Please rank what matters most when you choose a car.","Fuel economy:Please rank what matters most when you choose a car.","Safety:Please rank what matters most when you choose a car.","Looks:Please rank what matters most when you choose a car."
"11","2024-05-20 14:01:10","2024-05-20 14:03:22","Complete","","English","1716228070_664b9f","Mozilla/5.0 (Windows NT 10.0; Win64; x64)","192.0.2.5","United States","Denver","1","3","2","4"
"12","2024-05-20 14:30:47","2024-05-20 14:32:05","Complete","","English","1716229847_664ba6","Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)","192.0.2.41","United States","Boise","2","4","1","3"
"13","2024-05-20 16:12:33","2024-05-20 16:15:48","Complete","","English","1716235953_664bbe","Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)","192.0.2.99","Canada","Calgary","3","1","2",""
"15","2024-05-21 07:55:09","2024-05-21 07:57:31","Complete","","English","1716292509_664c9b","Mozilla/5.0 (X11; Linux x86_64)","192.0.2.120","United States","Austin","1","2","4","3"
"""
        },
        lists={
            "*": [
                [["Reliability"], ["Safety"], ["Fuel economy"], ["Looks"]],
                [["Safety"], ["Reliability"], ["Looks"], ["Fuel economy"]],
                [["Fuel economy"], ["Safety"], ["Reliability"]],
                [["Reliability"], ["Fuel economy"], ["Looks"], ["Safety"]],
            ]
        },
        note="Alchemer (SurveyGizmo) CSV export of a drag & drop ranking: one column per option headed 'option:question', cells are the rank.",
    )
)

CASES.append(
    Case(
        name="kobo_rank_space_separated",
        family="surveys",
        files={
            "Crop_preferences_-_latest_version_-_2024-02-09.csv": b"""\
"start";"end";"Village";"rank_crops";"_id";"_uuid";"_submission_time";"_validation_status";"_status";"_submitted_by";"_index"
"2024-02-05T08:12:04.112+03:00";"2024-02-05T08:20:51.005+03:00";"Kambi";"maize beans cassava sorghum";"310442871";"6f0c1a52-1f5e-4f5d-9a77-0d3f2a9c6b11";"2024-02-05T05:21:10";"";"submitted_via_web";"enum01";"1"
"2024-02-05T08:40:33.870+03:00";"2024-02-05T08:47:19.641+03:00";"Kambi";"cassava maize sorghum beans";"310443010";"a81f7c0e-52ab-4c1b-8e0f-94b7e2d1c7f3";"2024-02-05T05:47:55";"";"submitted_via_web";"enum01";"2"
"2024-02-06T10:03:12.402+03:00";"2024-02-06T10:11:58.230+03:00";"Mwangaza";"beans maize cassava sorghum";"310455218";"0d9b3e6a-7c44-4b0a-b0d5-6f1e8a2c9d40";"2024-02-06T07:12:31";"";"submitted_via_web";"enum02";"3"
"2024-02-06T11:30:45.019+03:00";"2024-02-06T11:36:02.777+03:00";"Mwangaza";"maize sorghum beans cassava";"310455992";"e4c2d8b1-3f60-4a9e-9d12-b7a5c0f8e6d2";"2024-02-06T08:36:44";"";"submitted_via_web";"enum02";"4"
"""
        },
        lists={
            "*": [
                [["maize"], ["beans"], ["cassava"], ["sorghum"]],
                [["cassava"], ["maize"], ["sorghum"], ["beans"]],
                [["beans"], ["maize"], ["cassava"], ["sorghum"]],
                [["maize"], ["sorghum"], ["beans"], ["cassava"]],
            ]
        },
        note="KoboToolbox (XLSForm 'rank' question) CSV with semicolons: one cell, option names separated by blanks, best first, all options always present.",
    )
)

CASES.append(
    Case(
        name="soscisurvey_german_rank_minus9",
        family="surveys",
        files={
            "rdata_mensa_2024-05-13_09-40.csv": """\
CASE;SERIAL;REF;QUESTNNR;MODE;STARTED;RA01_01;RA01_02;RA01_03;RA01_04;FINISHED
Interview-Nummer (fortlaufend);Seriennummer (sofern verwendet);Referenz (sofern im Link angegeben);Fragebogen, der im Interview verwendet wurde;Interview-Modus;Zeitpunkt zu dem das Interview begonnen hat;Reihenfolge: Preis;Reihenfolge: Geschmack;Reihenfolge: Auswahl;Reihenfolge: Öffnungszeiten;Wurde die Befragung abgeschlossen
101;;;mensa;interview;2024-05-06 11:20:14;2;1;3;4;1
102;;;mensa;interview;2024-05-06 11:31:50;1;2;4;3;1
104;;;mensa;interview;2024-05-06 12:05:27;2;1;-9;-9;1
107;;;mensa;interview;2024-05-07 09:44:02;3;1;2;4;1
""".encode("latin-1")
        },
        lists={
            "*": [
                [["Geschmack"], ["Preis"], ["Auswahl"], ["Öffnungszeiten"]],
                [["Preis"], ["Geschmack"], ["Öffnungszeiten"], ["Auswahl"]],
                [["Geschmack"], ["Preis"]],
                [["Geschmack"], ["Auswahl"], ["Preis"], ["Öffnungszeiten"]],
            ]
        },
        sure=False,
        note="SoSci Survey CSV (semicolons, Latin-1, second row = variable labels); -9 means not answered; owner: 1 = most important, Reihenfolge = order; one would have to know the -9 and which header row names the items.",
    )
)
