package pub

import "github.com/rectodocs/recto/internal/engine/render"

var norwegian = &words{
	Tag:           "no",
	SkipToContent: "Gå til innholdet", OpenNavigation: "Åpne navigasjonen", CloseNavigation: "Lukk navigasjonen",
	Pages: "Sider", Site: "Nettsted", More: "Mer", Preview: "Forhåndsvisning",
	Search: "Søk", SearchIn: "Søk i %s", DarkTheme: "Mørkt tema", Outline: "Disposisjon", OnThisPage: "På denne siden",
	BackToTop: "Til toppen", Breadcrumb: "Brødsmulesti",
	CopyPage: "Kopier siden", AsMarkdown: "Denne siden som Markdown", PageActions: "Mer for denne siden",
	OpenIn: "Åpne i %s", PagePDF: "Denne siden som PDF", SpacePDF: "Alle sider som PDF", EditPage: "Rediger siden",
	EditOn:   "Rediger på %s",
	Previous: "Forrige", Next: "Neste", PreviousAndNext: "Forrige og neste side", Listing: "Sider i denne delen",
	Updated:  "Sist oppdatert",
	AllPages: "Alle sider", Feed: "Feed", Privacy: "Personvern", MadeWith: "Laget med Recto", MoreBefore: "%d til før",
	MoreAfter: "%d til etter", PagesIn: "Sider i %s",
	Missing:     "Denne siden finnes ikke",
	MissingHint: "Den kan være flyttet eller slettet. Søk etter den, eller begynn på første side.",
	MissingAsk:  "Den kan være flyttet. Kanskje du leter etter en av disse:", Suggestions: "Forslag",
	OneMatch: "1 side passer", StillReading: "Sidene leses fortsatt inn. Søket gjentas av seg selv.",
	Matches: "%d sider passer", NoMatch: "Ingen side passer. Prøv andre eller færre ord.", OnePage: "1 side",
	ManyPages: "%d sider", NoPages: "Det er ingen sider ennå.", Part: "Del %d",
	PreviousAndNextPart: "Forrige og neste del",
	Sections:            "Deler", Section: "Del", Version: "Versjon", LanguageSwitch: "Språk", LogOut: "Logg ut",
	SignInToRead: "Logg inn for å lese dette", ForKnown: "Dette nettstedet er for personer som eieren kjenner.",
	NotCounted: "Tilgangen din er ikke gyldig:", SignIn: "Logg inn",
	Announcement: "Kunngjøring", Dismiss: "Skjul", Answers: "Svar",
	Helpful: "Var denne siden til hjelp?", Yes: "Ja", No: "Nei", Thanks: "Takk for svaret.",
	TellMore: "Hva kan bli bedre? (valgfritt)", Send: "Send", CommentThanks: "Takk, det er sendt.",
	FeedbackFailed: "Det kunne ikke sendes. Prøv igjen senere.",
	MakingPDF:      "PDF-en lages", MakingPDFHint: "Denne siden åpner den så snart den er ferdig.",
	PDFProgress: "%d av %d sider", PDFFailed: "PDF-en kunne ikke lages",
	PDFBusy: "For mange PDF-er lages nå. Prøv igjen om noen minutter.", TryAgain: "Prøv igjen",
	BackToPage:  "Tilbake til sidene",
	Cookies:     "Informasjonskapsler",
	CookiesText: "Dette nettstedet vil laste inn skript fra andre som lagrer informasjonskapsler.", Accept: "Tillat",
	Refuse: "Ikke tillat",
	Visit:  norwegianVisit,
	Date:   "{day}. {month} {year}",
	Months: "januar februar mars april mai juni juli august september oktober november desember",
	script: scriptWords(`Kopier kode
		Kopiert
		Kunne ikke kopiere
		Lukk
		Filtrer rader
		Ingen rad passer.
		Søk
		Ingen treff for
		Prøv andre eller færre ord.
		Søket svarer ikke nå.
		Sjekk tilkoblingen og prøv igjen.
		Skriv for å søke i alle sider.
		Nylige
		Tøm
		1 treff
		%d treff
		Diagram
		flytte
		åpne
		lukke`),
	render: render.Labels{
		Info: "Informasjon", Success: "Fullført", Warning: "Advarsel", Danger: "Fare", LinkTo: "Lenke til «%s»",
		Done: "Gjort", NotDone: "Ikke gjort", Yes: "Ja", No: "Nei",
		Rating: "%s av %s", Table: "Tabell", Tab: "Fane %s", ShowLines: "Vis alle %s linjer", ShowLess: "Vis mindre",
		ShowPrompt: "Vis prompten", Notes: "Noter", Note: "Note %s",
		BackToText: "Tilbake til teksten", NotAvailable: "Dette innholdet er ikke tilgjengelig.",
		TooMuchReused: "Denne siden setter inn mer innhold enn den kan vise.", Drawing: "Tegning", File: "Fil",
		Video: "Video fra %s", Embedded: "Innebygd innhold fra %s",
		OpenAPIPending: "Beskrivelsen av API-et vises ikke her ennå.", OpenAPISource: "Åpne beskrivelsen",
	},
}

var portuguese = &words{
	Tag:           "pt-BR",
	SkipToContent: "Ir para o conteúdo", OpenNavigation: "Abrir a navegação", CloseNavigation: "Fechar a navegação",
	Pages: "Páginas", Site: "Site", More: "Mais", Preview: "Prévia",
	Search: "Buscar", SearchIn: "Buscar em %s", DarkTheme: "Tema escuro", Outline: "Estrutura",
	OnThisPage: "Nesta página", BackToTop: "Voltar ao topo", Breadcrumb: "Trilha de navegação",
	CopyPage: "Copiar página", AsMarkdown: "Esta página em Markdown", PageActions: "Mais opções desta página",
	OpenIn: "Abrir no %s", PagePDF: "Esta página em PDF", SpacePDF: "Todas as páginas em PDF",
	EditPage: "Editar esta página", EditOn: "Editar no %s",
	Previous: "Anterior", Next: "Próxima", PreviousAndNext: "Página anterior e próxima", Listing: "Páginas desta seção",
	Updated:  "Última atualização",
	AllPages: "Todas as páginas", Feed: "Feed", Privacy: "Privacidade", MadeWith: "Feito com Recto",
	MoreBefore: "mais %d antes", MoreAfter: "mais %d depois", PagesIn: "Páginas em %s",
	Missing:     "Esta página não existe",
	MissingHint: "Ela pode ter sido movida ou excluída. Busque por ela ou comece pela primeira página.",
	MissingAsk:  "Ela pode ter sido movida. Talvez você procure uma destas:", Suggestions: "Sugestões",
	OneMatch: "1 página corresponde", StillReading: "As páginas ainda estão sendo lidas. A pesquisa se repete sozinha.",
	Matches: "%d páginas correspondem", NoMatch: "Nenhuma página corresponde. Tente outras palavras ou menos palavras.",
	OnePage: "1 página", ManyPages: "%d páginas", NoPages: "Ainda não há páginas.", Part: "Parte %d",
	PreviousAndNextPart: "Parte anterior e próxima",
	Sections:            "Seções", Section: "Seção", Version: "Versão", LanguageSwitch: "Idioma", LogOut: "Sair",
	SignInToRead: "Entre para ler", ForKnown: "Este site é para pessoas que o proprietário conhece.",
	NotCounted: "Seu acesso não é válido:", SignIn: "Entrar",
	Announcement: "Aviso", Dismiss: "Ocultar", Answers: "Respostas",
	Helpful: "Esta página foi útil?", Yes: "Sim", No: "Não", Thanks: "Obrigado pela resposta.",
	TellMore: "O que poderia melhorar? (opcional)", Send: "Enviar", CommentThanks: "Obrigado, foi enviado.",
	FeedbackFailed: "Não foi possível enviar. Tente mais tarde.",
	MakingPDF:      "Seu PDF está sendo criado", MakingPDFHint: "Esta página o abrirá assim que estiver pronto.",
	PDFProgress: "%d de %d páginas", PDFFailed: "Não foi possível criar o PDF",
	PDFBusy: "Há PDFs demais sendo criados. Tente em alguns minutos.", TryAgain: "Tentar de novo",
	BackToPage: "Voltar às páginas",
	Cookies:    "Cookies", CookiesText: "Este site gostaria de carregar scripts de terceiros que gravam cookies.",
	Accept: "Permitir", Refuse: "Não permitir",
	Visit:  portugueseVisit,
	Date:   "{day} de {month} de {year}",
	Months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
	script: scriptWords(`Copiar código
		Copiado
		Não foi possível copiar
		Fechar
		Filtrar linhas
		Nenhuma linha corresponde.
		Buscar
		Nenhum resultado para
		Tente outras palavras ou menos palavras.
		A busca não responde agora.
		Verifique sua conexão e tente de novo.
		Digite para buscar em todas as páginas.
		Recentes
		Limpar
		1 resultado
		%d resultados
		Diagrama
		mover
		abrir
		fechar`),
	render: render.Labels{
		Info: "Informação", Success: "Sucesso", Warning: "Aviso", Danger: "Perigo", LinkTo: "Link para “%s”",
		Done: "Feito", NotDone: "A fazer", Yes: "Sim", No: "Não",
		Rating: "%s de %s", Table: "Tabela", Tab: "Aba %s", ShowLines: "Mostrar todas as %s linhas",
		ShowLess: "Mostrar menos", ShowPrompt: "Mostrar o prompt", Notes: "Notas", Note: "Nota %s",
		BackToText: "Voltar ao texto", NotAvailable: "Este conteúdo não está disponível.",
		TooMuchReused: "Esta página inclui mais conteúdo do que pode mostrar.", Drawing: "Desenho", File: "Arquivo",
		Video: "Vídeo de %s", Embedded: "Conteúdo incorporado de %s",
		OpenAPIPending: "A descrição da API ainda não é mostrada aqui.", OpenAPISource: "Abrir a descrição",
	},
}

var russian = &words{
	Tag:           "ru",
	SkipToContent: "Перейти к содержанию", OpenNavigation: "Открыть навигацию", CloseNavigation: "Закрыть навигацию",
	Pages: "Страницы", Site: "Сайт", More: "Ещё", Preview: "Предпросмотр",
	Search: "Поиск", SearchIn: "Поиск: %s", DarkTheme: "Тёмная тема", Outline: "Содержание",
	OnThisPage: "На этой странице", BackToTop: "Наверх", Breadcrumb: "Путь",
	CopyPage: "Копировать страницу", AsMarkdown: "Эта страница в Markdown", PageActions: "Другие действия",
	OpenIn: "Открыть в %s", PagePDF: "Эта страница в PDF", SpacePDF: "Все страницы в PDF",
	EditPage: "Изменить страницу", EditOn: "Изменить на %s",
	Previous: "Назад", Next: "Далее", PreviousAndNext: "Предыдущая и следующая страница", Listing: "Страницы раздела",
	Updated:  "Обновлено",
	AllPages: "Все страницы", Feed: "Лента", Privacy: "Конфиденциальность", MadeWith: "Сделано в Recto",
	MoreBefore: "ещё %d раньше", MoreAfter: "ещё %d дальше", PagesIn: "Страницы в разделе %s",
	Missing:     "Такой страницы нет",
	MissingHint: "Возможно, её переместили или удалили. Воспользуйтесь поиском или начните с первой страницы.",
	MissingAsk:  "Возможно, её переместили. Может быть, вам нужна одна из этих:", Suggestions: "Подсказки",
	OneMatch: "Найдена 1 страница", StillReading: "Страницы ещё считываются. Поиск повторится сам.",
	Matches: "Найдено страниц: %d", NoMatch: "Ничего не найдено. Попробуйте другие слова или меньше слов.",
	OnePage: "1 страница", ManyPages: "Страниц: %d", NoPages: "Страниц пока нет.", Part: "Часть %d",
	PreviousAndNextPart: "Предыдущая и следующая часть",
	Sections:            "Разделы", Section: "Раздел", Version: "Версия", LanguageSwitch: "Язык", LogOut: "Выйти",
	SignInToRead: "Войдите, чтобы читать", ForKnown: "Этот сайт — для тех, кого знает его владелец.",
	NotCounted: "Ваш доступ недействителен:", SignIn: "Войти",
	Announcement: "Объявление", Dismiss: "Скрыть", Answers: "Ответы",
	Helpful: "Эта страница помогла?", Yes: "Да", No: "Нет", Thanks: "Спасибо за ответ.",
	TellMore: "Что можно улучшить? (необязательно)", Send: "Отправить", CommentThanks: "Спасибо, отправлено.",
	FeedbackFailed: "Отправить не удалось. Попробуйте позже.",
	MakingPDF:      "PDF создаётся", MakingPDFHint: "Эта страница откроет его, как только он будет готов.",
	PDFProgress: "Страниц: %d из %d", PDFFailed: "Не удалось создать PDF",
	PDFBusy: "Создаётся слишком много PDF. Попробуйте через несколько минут.", TryAgain: "Повторить",
	BackToPage:  "Назад к страницам",
	Cookies:     "Файлы cookie",
	CookiesText: "Этот сайт хочет загрузить сторонние скрипты, которые сохраняют файлы cookie.", Accept: "Разрешить",
	Refuse: "Не разрешать",
	Visit:  russianVisit,
	Date:   "{day} {month} {year} г.",
	Months: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
	script: scriptWords(`Копировать код
		Скопировано
		Не удалось скопировать
		Закрыть
		Отбор строк
		Нет подходящих строк.
		Поиск
		Ничего не найдено:
		Попробуйте другие слова или меньше слов.
		Поиск сейчас не отвечает.
		Проверьте соединение и попробуйте снова.
		Начните вводить, чтобы искать по всем страницам.
		Недавние
		Очистить
		1 результат
		Результатов: %d
		Диаграмма
		выбор
		открыть
		закрыть`),
	render: render.Labels{
		Info: "Сведения", Success: "Успех", Warning: "Предупреждение", Danger: "Опасность", LinkTo: "Ссылка на «%s»",
		Done: "Сделано", NotDone: "Не сделано", Yes: "Да", No: "Нет",
		Rating: "%s из %s", Table: "Таблица", Tab: "Вкладка %s", ShowLines: "Показать все строки: %s",
		ShowLess: "Показать меньше", ShowPrompt: "Показать запрос", Notes: "Примечания", Note: "Примечание %s",
		BackToText: "Назад к тексту", NotAvailable: "Это содержимое недоступно.",
		TooMuchReused: "На эту страницу вставлено больше содержимого, чем можно показать.", Drawing: "Рисунок",
		File: "Файл", Video: "Видео %s", Embedded: "Встроенное содержимое: %s",
		OpenAPIPending: "Описание API здесь пока не показано.", OpenAPISource: "Открыть описание",
	},
}

var japanese = &words{
	Tag:           "ja",
	SkipToContent: "本文へ移動", OpenNavigation: "ナビゲーションを開く", CloseNavigation: "ナビゲーションを閉じる", Pages: "ページ", Site: "サイト",
	More: "その他", Preview: "プレビュー",
	Search: "検索", SearchIn: "%sを検索", DarkTheme: "ダークテーマ", Outline: "アウトライン", OnThisPage: "このページの内容", BackToTop: "先頭へ戻る",
	Breadcrumb: "パンくずリスト",
	CopyPage:   "ページをコピー", AsMarkdown: "このページをMarkdownで表示", PageActions: "このページのその他の操作", OpenIn: "%sで開く",
	PagePDF: "このページをPDFで開く", SpacePDF: "全ページをPDFで開く", EditPage: "このページを編集", EditOn: "%sで編集",
	Previous: "前へ", Next: "次へ", PreviousAndNext: "前後のページ", Listing: "このセクションのページ", Updated: "最終更新",
	AllPages: "すべてのページ", Feed: "フィード", Privacy: "プライバシー", MadeWith: "Rectoで作成", MoreBefore: "前に%d件", MoreAfter: "後に%d件",
	PagesIn: "%sのページ",
	Missing: "このページは存在しません", MissingHint: "移動または削除された可能性があります。検索するか、最初のページから始めてください。",
	MissingAsk: "移動した可能性があります。お探しのページは次のいずれかかもしれません：", Suggestions: "候補",
	OneMatch: "1件のページが一致", StillReading: "ページを読み込んでいます。自動的にもう一度検索します。", Matches: "%d件のページが一致",
	NoMatch: "一致するページがありません。別の語句や短い語句をお試しください。", OnePage: "1ページ", ManyPages: "%dページ", NoPages: "まだページがありません。",
	Part: "パート%d", PreviousAndNextPart: "前後のパート",
	Sections: "セクション", Section: "セクション", Version: "バージョン", LanguageSwitch: "言語", LogOut: "ログアウト",
	SignInToRead: "読むにはログインしてください", ForKnown: "このサイトは、所有者が認めた方だけが読めます。", NotCounted: "お使いのアクセスは有効ではありません：",
	SignIn:       "ログイン",
	Announcement: "お知らせ", Dismiss: "閉じる", Answers: "回答",
	Helpful: "このページは役に立ちましたか？", Yes: "はい", No: "いいえ", Thanks: "ご回答ありがとうございます。", TellMore: "改善してほしい点（任意）", Send: "送信",
	CommentThanks: "ありがとうございます。送信しました。", FeedbackFailed: "送信できませんでした。しばらくしてからお試しください。",
	MakingPDF: "PDFを作成しています", MakingPDFHint: "完成しだい、このページで開きます。", PDFProgress: "%dページ／全%dページ",
	PDFFailed: "PDFを作成できませんでした", PDFBusy: "作成中のPDFが多すぎます。数分後にお試しください。", TryAgain: "再試行", BackToPage: "ページに戻る",
	Cookies: "Cookie", CookiesText: "このサイトは、Cookieを保存する外部スクリプトを読み込もうとしています。", Accept: "許可する", Refuse: "許可しない",
	Visit: japaneseVisit,
	Date:  "{year}年{month}{day}日", Months: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
	script: scriptWords(`コードをコピー
		コピーしました
		コピーできませんでした
		閉じる
		行を絞り込む
		一致する行がありません。
		検索
		見つかりません：
		別の語句や短い語句をお試しください。
		検索が応答していません。
		接続を確認して、もう一度お試しください。
		入力するとすべてのページを検索します。
		最近の項目
		消去
		1件
		%d件
		図
		移動
		開く
		閉じる`),
	render: render.Labels{
		Info: "情報", Success: "成功", Warning: "警告", Danger: "危険", LinkTo: "「%s」へのリンク", Done: "完了", NotDone: "未完了",
		Yes: "はい", No: "いいえ",
		Rating: "%s／%s", Table: "表", Tab: "タブ%s", ShowLines: "%s行すべてを表示", ShowLess: "折りたたむ", ShowPrompt: "プロンプトを表示",
		Notes: "注", Note: "注%s",
		BackToText: "本文へ戻る", NotAvailable: "この内容は表示できません。", TooMuchReused: "このページには表示できる量を超える内容が埋め込まれています。",
		Drawing: "図", File: "ファイル", Video: "%sの動画", Embedded: "%sの埋め込みコンテンツ",
		OpenAPIPending: "APIの説明はまだ表示されていません。", OpenAPISource: "説明を開く",
	},
}

var chinese = &words{
	Tag:           "zh",
	SkipToContent: "跳到正文", OpenNavigation: "打开导航", CloseNavigation: "关闭导航", Pages: "页面", Site: "站点", More: "更多",
	Preview: "预览",
	Search:  "搜索", SearchIn: "搜索 %s", DarkTheme: "深色主题", Outline: "大纲", OnThisPage: "本页内容", BackToTop: "回到顶部",
	Breadcrumb: "面包屑导航",
	CopyPage:   "复制页面", AsMarkdown: "以 Markdown 查看本页", PageActions: "本页的更多操作", OpenIn: "在 %s 中打开", PagePDF: "本页的 PDF",
	SpacePDF: "所有页面的 PDF", EditPage: "编辑本页", EditOn: "在 %s 上编辑",
	Previous: "上一页", Next: "下一页", PreviousAndNext: "上一页和下一页", Listing: "本节页面", Updated: "最后更新",
	AllPages: "所有页面", Feed: "订阅源", Privacy: "隐私", MadeWith: "由 Recto 制作", MoreBefore: "前面还有 %d 个",
	MoreAfter: "后面还有 %d 个", PagesIn: "%s中的页面",
	Missing: "此页面不存在", MissingHint: "它可能已被移动或删除。请搜索，或从首页开始。", MissingAsk: "它可能已被移动。您要找的也许是：", Suggestions: "建议",
	OneMatch: "1 个页面匹配", StillReading: "页面仍在读取中，稍后会自动重新搜索。", Matches: "%d 个页面匹配", NoMatch: "没有匹配的页面。请换用其他词语或减少词语。",
	OnePage: "1 个页面", ManyPages: "%d 个页面", NoPages: "还没有页面。", Part: "第 %d 部分", PreviousAndNextPart: "上一部分和下一部分",
	Sections: "分区", Section: "分区", Version: "版本", LanguageSwitch: "语言", LogOut: "退出登录", SignInToRead: "请登录后阅读",
	ForKnown: "本站仅供所有者认可的人阅读。", NotCounted: "您的访问凭据无效：", SignIn: "登录",
	Announcement: "公告", Dismiss: "关闭", Answers: "回答",
	Helpful: "本页对您有帮助吗？", Yes: "是", No: "否", Thanks: "感谢您的回答。", TellMore: "有什么可以改进？（选填）", Send: "发送",
	CommentThanks: "谢谢，已发送。", FeedbackFailed: "发送失败，请稍后再试。",
	MakingPDF: "正在生成 PDF", MakingPDFHint: "完成后将在本页打开。", PDFProgress: "%d / %d 页", PDFFailed: "无法生成 PDF",
	PDFBusy: "正在生成的 PDF 过多，请几分钟后再试。", TryAgain: "重试", BackToPage: "返回页面",
	Cookies: "Cookie", CookiesText: "本站希望加载会设置 Cookie 的第三方脚本。", Accept: "允许", Refuse: "不允许",
	Visit: chineseVisit,
	Date:  "{year}年{month}{day}日", Months: "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
	script: scriptWords(`复制代码
		已复制
		无法复制
		关闭
		筛选行
		没有匹配的行。
		搜索
		没有结果：
		请换用其他词语或减少词语。
		搜索暂时没有响应。
		请检查网络连接后重试。
		输入文字以搜索所有页面。
		最近
		清除
		1 个结果
		%d 个结果
		图表
		移动
		打开
		关闭`),
	render: render.Labels{
		Info: "信息", Success: "成功", Warning: "警告", Danger: "危险", LinkTo: "指向“%s”的链接", Done: "已完成", NotDone: "未完成",
		Yes: "是", No: "否",
		Rating: "%s / %s", Table: "表格", Tab: "标签 %s", ShowLines: "显示全部 %s 行", ShowLess: "收起", ShowPrompt: "显示提示词",
		Notes: "注释", Note: "注释 %s",
		BackToText: "返回正文", NotAvailable: "此内容不可用。", TooMuchReused: "此页面包含的内容超出了可显示的数量。", Drawing: "图画", File: "文件",
		Video: "%s 视频", Embedded: "来自 %s 的嵌入内容",
		OpenAPIPending: "API 描述尚未在此显示。", OpenAPISource: "打开描述",
	},
}
