"IG
*https://news.example.org/2024/3/an-articleRead later 3"	€μά΅„ϋά(