"IG
*https://news.example.org/2024/2/an-articleRead later 2"	€μά΅„ϋά(