
Zί*T
	€μά΅„ϋά	€μά΅„ϋά:
Read later 1*https://news.example.org/2024/1/an-article 
Zί*T
	€μά΅„ϋά	€μά΅„ϋά:
Read later 2*https://news.example.org/2024/2/an-article 
Zί*T
	€μά΅„ϋά	€μά΅„ϋά:
Read later 3*https://news.example.org/2024/3/an-article ÿÿÿÿÿÿÿÿÿ