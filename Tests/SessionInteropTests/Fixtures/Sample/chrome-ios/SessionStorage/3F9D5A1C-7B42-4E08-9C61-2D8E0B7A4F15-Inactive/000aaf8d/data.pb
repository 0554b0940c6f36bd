"IG
*https://news.example.org/2024/1/an-articleRead later 1"	€μά΅„ϋά(