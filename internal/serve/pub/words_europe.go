package pub

import "github.com/rectodocs/recto/internal/engine/render"

// languages are the words by locale.
var languages = map[string]*words{
	"en": english, "fr": french, "es": spanish, "de": german, "nl": dutch,
	"no": norwegian, "pt-br": portuguese, "ru": russian, "ja": japanese, "zh": chinese,
}

var english = &words{
	Tag:           "en",
	SkipToContent: "Skip to content", OpenNavigation: "Open navigation", CloseNavigation: "Close navigation",
	Pages: "Pages", Site: "Site", More: "More", Preview: "Preview",
	Search: "Search", SearchIn: "Search %s", DarkTheme: "Dark theme", Outline: "Outline", OnThisPage: "On this page",
	BackToTop: "Back to top", Breadcrumb: "Breadcrumb",
	CopyPage: "Copy page", AsMarkdown: "This page as Markdown", PageActions: "More for this page", OpenIn: "Open in %s",
	PagePDF: "This page as PDF", SpacePDF: "All pages as PDF", EditPage: "Edit this page", EditOn: "Edit on %s",
	Previous: "Previous", Next: "Next", PreviousAndNext: "Previous and next page", Listing: "Pages in this section",
	Updated:  "Last updated",
	AllPages: "All pages", Feed: "Feed", Privacy: "Privacy", MadeWith: "Made with Recto", MoreBefore: "%d more before",
	MoreAfter: "%d more after", PagesIn: "Pages in %s",
	Missing:     "This page does not exist",
	MissingHint: "It may have moved or been deleted. Search for it, or start at the first page.",
	MissingAsk:  "It may have moved. One of these may be what you are looking for:", Suggestions: "Suggestions",
	OneMatch:     "1 page matches",
	StillReading: "The pages are still being read for the first time. This looks again by itself.",
	Matches:      "%d pages match", NoMatch: "No page matches. Try other words, or fewer of them.", OnePage: "1 page",
	ManyPages: "%d pages", NoPages: "There are no pages yet.", Part: "Part %d",
	PreviousAndNextPart: "Previous and next part",
	Sections:            "Sections", Section: "Section", Version: "Version", LanguageSwitch: "Language",
	LogOut:       "Log out",
	SignInToRead: "Sign in to read this", ForKnown: "This site is for people whom its owner knows.",
	NotCounted: "What you came with does not count:", SignIn: "Sign in",
	Announcement: "Announcement", Dismiss: "Dismiss", Answers: "Answers",
	Helpful: "Was this page helpful?", Yes: "Yes", No: "No", Thanks: "Thank you for your answer.",
	TellMore: "What could be better? (optional)", Send: "Send", CommentThanks: "Thank you. It was sent.",
	FeedbackFailed: "It could not be sent. Try again later.",
	MakingPDF:      "Your PDF is being made", MakingPDFHint: "This page opens it as soon as it is done.",
	PDFProgress: "%d of %d pages", PDFFailed: "The PDF could not be made",
	PDFBusy: "Too many PDFs are being made. Try again in a few minutes.", TryAgain: "Try again",
	BackToPage: "Back to the pages",
	Cookies:    "Cookies", CookiesText: "This site would like to load scripts of others that set cookies.",
	Accept: "Allow", Refuse: "Do not allow",
	Visit:  englishVisit,
	Date:   "{month} {day}, {year}",
	Months: "January February March April May June July August September October November December",
}

var french = &words{
	Tag:           "fr",
	SkipToContent: "Aller au contenu", OpenNavigation: "Ouvrir la navigation", CloseNavigation: "Fermer la navigation",
	Pages: "Pages", Site: "Site", More: "Plus", Preview: "Aperçu",
	Search: "Rechercher", SearchIn: "Rechercher dans %s", DarkTheme: "Thème sombre", Outline: "Plan",
	OnThisPage: "Sur cette page", BackToTop: "Haut de page", Breadcrumb: "Fil d’Ariane",
	CopyPage: "Copier la page", AsMarkdown: "Cette page en Markdown", PageActions: "Autres actions pour cette page",
	OpenIn: "Ouvrir dans %s", PagePDF: "Cette page en PDF", SpacePDF: "Toutes les pages en PDF",
	EditPage: "Modifier cette page", EditOn: "Modifier sur %s",
	Previous: "Précédent", Next: "Suivant", PreviousAndNext: "Page précédente et suivante",
	Listing: "Pages de cette section", Updated: "Dernière mise à jour",
	AllPages: "Toutes les pages", Feed: "Flux", Privacy: "Confidentialité", MadeWith: "Réalisé avec Recto",
	MoreBefore: "%d autres avant", MoreAfter: "%d autres après", PagesIn: "Pages de %s",
	Missing:      "Cette page n’existe pas",
	MissingHint:  "Elle a peut-être été déplacée ou supprimée. Cherchez-la ou partez de la première page.",
	MissingAsk:   "Elle a peut-être été déplacée. L’une de celles-ci est peut-être la bonne :",
	Suggestions:  "Suggestions",
	OneMatch:     "1 page correspond",
	StillReading: "Les pages sont encore en cours de lecture. La recherche se répète d’elle-même.",
	Matches:      "%d pages correspondent",
	NoMatch:      "Aucune page ne correspond. Essayez d’autres mots, ou moins de mots.", OnePage: "1 page",
	ManyPages: "%d pages", NoPages: "Il n’y a pas encore de pages.", Part: "Partie %d",
	PreviousAndNextPart: "Partie précédente et suivante",
	Sections:            "Sections", Section: "Section", Version: "Version", LanguageSwitch: "Langue",
	LogOut:       "Se déconnecter",
	SignInToRead: "Connectez-vous pour lire",
	ForKnown:     "Ce site est réservé aux personnes que son propriétaire connaît.",
	NotCounted:   "Votre accès n’est pas valable :", SignIn: "Se connecter",
	Announcement: "Annonce", Dismiss: "Masquer", Answers: "Réponses",
	Helpful: "Cette page vous a-t-elle aidé ?", Yes: "Oui", No: "Non", Thanks: "Merci de votre réponse.",
	TellMore: "Que pourrions-nous améliorer ? (facultatif)", Send: "Envoyer", CommentThanks: "Merci, c’est envoyé.",
	FeedbackFailed: "L’envoi a échoué. Réessayez plus tard.",
	MakingPDF:      "Votre PDF est en préparation", MakingPDFHint: "Cette page l’ouvrira dès qu’il sera prêt.",
	PDFProgress: "%d pages sur %d", PDFFailed: "Le PDF n’a pas pu être créé",
	PDFBusy: "Trop de PDF sont en préparation. Réessayez dans quelques minutes.", TryAgain: "Réessayer",
	BackToPage: "Retour aux pages",
	Cookies:    "Cookies", CookiesText: "Ce site souhaite charger des scripts tiers qui déposent des cookies.",
	Accept: "Autoriser", Refuse: "Refuser",
	Visit:  frenchVisit,
	Date:   "{day} {month} {year}",
	Months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
	script: scriptWords(`Copier le code
		Copié
		Copie impossible
		Fermer
		Filtrer les lignes
		Aucune ligne ne correspond.
		Rechercher
		Aucun résultat pour
		Essayez d’autres mots, ou moins de mots.
		La recherche ne répond pas pour le moment.
		Vérifiez votre connexion et réessayez.
		Saisissez du texte pour chercher dans toutes les pages.
		Récents
		Effacer
		1 résultat
		%d résultats
		Diagramme
		naviguer
		ouvrir
		fermer`),
	render: render.Labels{
		Info: "Information", Success: "Succès", Warning: "Avertissement", Danger: "Danger", LinkTo: "Lien vers « %s »",
		Done: "Fait", NotDone: "À faire", Yes: "Oui", No: "Non",
		Rating: "%s sur %s", Table: "Tableau", Tab: "Onglet %s", ShowLines: "Afficher les %s lignes",
		ShowLess: "Réduire", ShowPrompt: "Afficher le prompt", Notes: "Notes", Note: "Note %s",
		BackToText: "Retour au texte", NotAvailable: "Ce contenu n’est pas disponible.",
		TooMuchReused: "Cette page inclut plus de contenu qu’elle ne peut en afficher.", Drawing: "Dessin",
		File: "Fichier", Video: "Vidéo %s", Embedded: "Contenu intégré de %s",
		OpenAPIPending: "La description de l’API n’est pas encore affichée ici.",
		OpenAPISource:  "Ouvrir la description",
	},
}

var spanish = &words{
	Tag:           "es",
	SkipToContent: "Ir al contenido", OpenNavigation: "Abrir la navegación", CloseNavigation: "Cerrar la navegación",
	Pages: "Páginas", Site: "Sitio", More: "Más", Preview: "Vista previa",
	Search: "Buscar", SearchIn: "Buscar en %s", DarkTheme: "Tema oscuro", Outline: "Esquema",
	OnThisPage: "En esta página", BackToTop: "Volver arriba", Breadcrumb: "Ruta de navegación",
	CopyPage: "Copiar página", AsMarkdown: "Esta página en Markdown", PageActions: "Más opciones de esta página",
	OpenIn: "Abrir en %s", PagePDF: "Esta página en PDF", SpacePDF: "Todas las páginas en PDF",
	EditPage: "Editar esta página", EditOn: "Editar en %s",
	Previous: "Anterior", Next: "Siguiente", PreviousAndNext: "Página anterior y siguiente",
	Listing: "Páginas de esta sección", Updated: "Última actualización",
	AllPages: "Todas las páginas", Feed: "Fuente", Privacy: "Privacidad", MadeWith: "Hecho con Recto",
	MoreBefore: "%d más antes", MoreAfter: "%d más después", PagesIn: "Páginas de %s",
	Missing:     "Esta página no existe",
	MissingHint: "Puede que se haya movido o eliminado. Búsquela o empiece por la primera página.",
	MissingAsk:  "Puede que se haya movido. Quizá busque una de estas:", Suggestions: "Sugerencias",
	OneMatch: "1 página coincide", StillReading: "Las páginas aún se están leyendo. La búsqueda se repite sola.",
	Matches: "%d páginas coinciden", NoMatch: "Ninguna página coincide. Pruebe con otras palabras o con menos.",
	OnePage: "1 página", ManyPages: "%d páginas", NoPages: "Todavía no hay páginas.", Part: "Parte %d",
	PreviousAndNextPart: "Parte anterior y siguiente",
	Sections:            "Secciones", Section: "Sección", Version: "Versión", LanguageSwitch: "Idioma",
	LogOut:       "Cerrar sesión",
	SignInToRead: "Inicie sesión para leer", ForKnown: "Este sitio es para personas a las que su propietario conoce.",
	NotCounted: "Su acceso no es válido:", SignIn: "Iniciar sesión",
	Announcement: "Anuncio", Dismiss: "Ocultar", Answers: "Respuestas",
	Helpful: "¿Le ha sido útil esta página?", Yes: "Sí", No: "No", Thanks: "Gracias por su respuesta.",
	TellMore: "¿Qué podría mejorar? (opcional)", Send: "Enviar", CommentThanks: "Gracias, se ha enviado.",
	FeedbackFailed: "No se pudo enviar. Inténtelo más tarde.",
	MakingPDF:      "Se está creando el PDF", MakingPDFHint: "Esta página lo abrirá en cuanto esté listo.",
	PDFProgress: "%d de %d páginas", PDFFailed: "No se pudo crear el PDF",
	PDFBusy: "Se están creando demasiados PDF. Inténtelo en unos minutos.", TryAgain: "Reintentar",
	BackToPage: "Volver a las páginas",
	Cookies:    "Cookies", CookiesText: "Este sitio quiere cargar scripts de terceros que guardan cookies.",
	Accept: "Permitir", Refuse: "No permitir",
	Visit:  spanishVisit,
	Date:   "{day} de {month} de {year}",
	Months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
	script: scriptWords(`Copiar código
		Copiado
		No se pudo copiar
		Cerrar
		Filtrar filas
		Ninguna fila coincide.
		Buscar
		Sin resultados para
		Pruebe con otras palabras o con menos.
		La búsqueda no responde en este momento.
		Compruebe su conexión e inténtelo de nuevo.
		Escriba para buscar en todas las páginas.
		Recientes
		Borrar
		1 resultado
		%d resultados
		Diagrama
		mover
		abrir
		cerrar`),
	render: render.Labels{
		Info: "Información", Success: "Éxito", Warning: "Advertencia", Danger: "Peligro", LinkTo: "Enlace a «%s»",
		Done: "Hecho", NotDone: "Pendiente", Yes: "Sí", No: "No",
		Rating: "%s de %s", Table: "Tabla", Tab: "Pestaña %s", ShowLines: "Mostrar las %s líneas",
		ShowLess: "Mostrar menos", ShowPrompt: "Mostrar el prompt", Notes: "Notas", Note: "Nota %s",
		BackToText: "Volver al texto", NotAvailable: "Este contenido no está disponible.",
		TooMuchReused: "Esta página incluye más contenido del que puede mostrar.", Drawing: "Dibujo", File: "Archivo",
		Video: "Vídeo de %s", Embedded: "Contenido incrustado de %s",
		OpenAPIPending: "La descripción de la API aún no se muestra aquí.", OpenAPISource: "Abrir la descripción",
	},
}

var german = &words{
	Tag:           "de",
	SkipToContent: "Zum Inhalt springen", OpenNavigation: "Navigation öffnen", CloseNavigation: "Navigation schließen",
	Pages: "Seiten", Site: "Website", More: "Mehr", Preview: "Vorschau",
	Search: "Suchen", SearchIn: "%s durchsuchen", DarkTheme: "Dunkles Design", Outline: "Gliederung",
	OnThisPage: "Auf dieser Seite", BackToTop: "Nach oben", Breadcrumb: "Pfad",
	CopyPage: "Seite kopieren", AsMarkdown: "Diese Seite als Markdown", PageActions: "Mehr zu dieser Seite",
	OpenIn: "In %s öffnen", PagePDF: "Diese Seite als PDF", SpacePDF: "Alle Seiten als PDF",
	EditPage: "Seite bearbeiten", EditOn: "Auf %s bearbeiten",
	Previous: "Zurück", Next: "Weiter", PreviousAndNext: "Vorige und nächste Seite",
	Listing: "Seiten in diesem Abschnitt", Updated: "Zuletzt geändert",
	AllPages: "Alle Seiten", Feed: "Feed", Privacy: "Datenschutz", MadeWith: "Erstellt mit Recto",
	MoreBefore: "%d weitere davor", MoreAfter: "%d weitere danach", PagesIn: "Seiten in %s",
	Missing: "Diese Seite gibt es nicht",
	MissingHint: "Sie wurde vielleicht verschoben oder gelöscht. Suchen Sie danach oder beginnen Sie auf der ersten " +
		"Seite.", MissingAsk: "Sie wurde vielleicht verschoben. Vielleicht suchen Sie eine von diesen:",
	Suggestions: "Vorschläge",
	OneMatch:    "1 Seite passt", StillReading: "Die Seiten werden noch gelesen. Die Suche wiederholt sich von selbst.",
	Matches: "%d Seiten passen", NoMatch: "Keine Seite passt. Versuchen Sie andere oder weniger Wörter.",
	OnePage: "1 Seite", ManyPages: "%d Seiten", NoPages: "Es gibt noch keine Seiten.", Part: "Teil %d",
	PreviousAndNextPart: "Voriger und nächster Teil",
	Sections:            "Bereiche", Section: "Bereich", Version: "Version", LanguageSwitch: "Sprache",
	LogOut:       "Abmelden",
	SignInToRead: "Zum Lesen anmelden", ForKnown: "Diese Website ist für Personen, die ihr Betreiber kennt.",
	NotCounted: "Ihr Zugang gilt nicht:", SignIn: "Anmelden",
	Announcement: "Hinweis", Dismiss: "Ausblenden", Answers: "Antworten",
	Helpful: "War diese Seite hilfreich?", Yes: "Ja", No: "Nein", Thanks: "Danke für Ihre Antwort.",
	TellMore: "Was könnte besser sein? (freiwillig)", Send: "Senden", CommentThanks: "Danke, das ist angekommen.",
	FeedbackFailed: "Das Senden ist gescheitert. Versuchen Sie es später noch einmal.",
	MakingPDF:      "Ihr PDF wird erstellt", MakingPDFHint: "Diese Seite öffnet es, sobald es fertig ist.",
	PDFProgress: "%d von %d Seiten", PDFFailed: "Das PDF konnte nicht erstellt werden",
	PDFBusy:  "Es werden gerade zu viele PDFs erstellt. Versuchen Sie es in ein paar Minuten noch einmal.",
	TryAgain: "Noch einmal versuchen", BackToPage: "Zurück zu den Seiten",
	Cookies: "Cookies", CookiesText: "Diese Website möchte Skripte anderer laden, die Cookies setzen.",
	Accept: "Erlauben", Refuse: "Nicht erlauben",
	Visit:  germanVisit,
	Date:   "{day}. {month} {year}",
	Months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
	script: scriptWords(`Code kopieren
		Kopiert
		Kopieren nicht möglich
		Schließen
		Zeilen filtern
		Keine Zeile passt.
		Suchen
		Keine Ergebnisse für
		Versuchen Sie andere oder weniger Wörter.
		Die Suche antwortet gerade nicht.
		Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.
		Tippen Sie, um alle Seiten zu durchsuchen.
		Zuletzt
		Leeren
		1 Ergebnis
		%d Ergebnisse
		Diagramm
		bewegen
		öffnen
		schließen`),
	render: render.Labels{
		Info: "Information", Success: "Erfolg", Warning: "Warnung", Danger: "Gefahr", LinkTo: "Link zu „%s“",
		Done: "Erledigt", NotDone: "Offen", Yes: "Ja", No: "Nein",
		Rating: "%s von %s", Table: "Tabelle", Tab: "Reiter %s", ShowLines: "Alle %s Zeilen zeigen",
		ShowLess: "Weniger zeigen", ShowPrompt: "Prompt zeigen", Notes: "Anmerkungen", Note: "Anmerkung %s",
		BackToText: "Zurück zum Text", NotAvailable: "Dieser Inhalt ist nicht verfügbar.",
		TooMuchReused: "Diese Seite bindet mehr Inhalte ein, als sie zeigen kann.", Drawing: "Zeichnung", File: "Datei",
		Video: "Video von %s", Embedded: "Eingebetteter Inhalt von %s",
		OpenAPIPending: "Die Beschreibung der API wird hier noch nicht gezeigt.", OpenAPISource: "Beschreibung öffnen",
	},
}

var dutch = &words{
	Tag:           "nl",
	SkipToContent: "Naar de inhoud", OpenNavigation: "Navigatie openen", CloseNavigation: "Navigatie sluiten",
	Pages: "Pagina’s", Site: "Site", More: "Meer", Preview: "Voorbeeld",
	Search: "Zoeken", SearchIn: "Zoeken in %s", DarkTheme: "Donker thema", Outline: "Overzicht",
	OnThisPage: "Op deze pagina", BackToTop: "Naar boven", Breadcrumb: "Kruimelpad",
	CopyPage: "Pagina kopiëren", AsMarkdown: "Deze pagina als Markdown", PageActions: "Meer voor deze pagina",
	OpenIn: "Openen in %s", PagePDF: "Deze pagina als pdf", SpacePDF: "Alle pagina’s als pdf",
	EditPage: "Deze pagina bewerken", EditOn: "Bewerken op %s",
	Previous: "Vorige", Next: "Volgende", PreviousAndNext: "Vorige en volgende pagina",
	Listing: "Pagina’s in dit onderdeel", Updated: "Laatst bijgewerkt",
	AllPages: "Alle pagina’s", Feed: "Feed", Privacy: "Privacy", MadeWith: "Gemaakt met Recto",
	MoreBefore: "nog %d ervoor", MoreAfter: "nog %d erna", PagesIn: "Pagina’s in %s",
	Missing:     "Deze pagina bestaat niet",
	MissingHint: "Misschien is ze verplaatst of verwijderd. Zoek ernaar of begin op de eerste pagina.",
	MissingAsk:  "Misschien is ze verplaatst. Misschien zoekt u een van deze:", Suggestions: "Suggesties",
	OneMatch: "1 pagina gevonden", StillReading: "De pagina’s worden nog gelezen. Het zoeken herhaalt zich vanzelf.",
	Matches: "%d pagina’s gevonden", NoMatch: "Geen pagina gevonden. Probeer andere of minder woorden.",
	OnePage: "1 pagina", ManyPages: "%d pagina’s", NoPages: "Er zijn nog geen pagina’s.", Part: "Deel %d",
	PreviousAndNextPart: "Vorige en volgende deel",
	Sections:            "Onderdelen", Section: "Onderdeel", Version: "Versie", LanguageSwitch: "Taal",
	LogOut:       "Uitloggen",
	SignInToRead: "Log in om dit te lezen", ForKnown: "Deze site is voor mensen die de eigenaar kent.",
	NotCounted: "Uw toegang is niet geldig:", SignIn: "Inloggen",
	Announcement: "Mededeling", Dismiss: "Verbergen", Answers: "Antwoorden",
	Helpful: "Was deze pagina nuttig?", Yes: "Ja", No: "Nee", Thanks: "Bedankt voor uw antwoord.",
	TellMore: "Wat kan er beter? (niet verplicht)", Send: "Versturen", CommentThanks: "Bedankt, het is verstuurd.",
	FeedbackFailed: "Versturen is niet gelukt. Probeer het later opnieuw.",
	MakingPDF:      "Uw pdf wordt gemaakt", MakingPDFHint: "Deze pagina opent hem zodra hij klaar is.",
	PDFProgress: "%d van %d pagina’s", PDFFailed: "De pdf kon niet worden gemaakt",
	PDFBusy:  "Er worden te veel pdf’s gemaakt. Probeer het over een paar minuten opnieuw.",
	TryAgain: "Opnieuw proberen", BackToPage: "Terug naar de pagina’s",
	Cookies: "Cookies", CookiesText: "Deze site wil scripts van anderen laden die cookies plaatsen.",
	Accept: "Toestaan", Refuse: "Niet toestaan",
	Visit:  dutchVisit,
	Date:   "{day} {month} {year}",
	Months: "januari februari maart april mei juni juli augustus september oktober november december",
	script: scriptWords(`Code kopiëren
		Gekopieerd
		Kopiëren mislukt
		Sluiten
		Rijen filteren
		Geen rij gevonden.
		Zoeken
		Geen resultaten voor
		Probeer andere of minder woorden.
		Zoeken antwoordt nu niet.
		Controleer uw verbinding en probeer het opnieuw.
		Typ om alle pagina’s te doorzoeken.
		Recent
		Wissen
		1 resultaat
		%d resultaten
		Diagram
		verplaatsen
		openen
		sluiten`),
	render: render.Labels{
		Info: "Informatie", Success: "Gelukt", Warning: "Waarschuwing", Danger: "Gevaar", LinkTo: "Link naar ‘%s’",
		Done: "Gedaan", NotDone: "Te doen", Yes: "Ja", No: "Nee",
		Rating: "%s van %s", Table: "Tabel", Tab: "Tabblad %s", ShowLines: "Alle %s regels tonen",
		ShowLess: "Minder tonen", ShowPrompt: "De prompt tonen", Notes: "Noten", Note: "Noot %s",
		BackToText: "Terug naar de tekst", NotAvailable: "Deze inhoud is niet beschikbaar.",
		TooMuchReused: "Deze pagina voegt meer inhoud in dan ze kan tonen.", Drawing: "Tekening", File: "Bestand",
		Video: "Video van %s", Embedded: "Ingesloten inhoud van %s",
		OpenAPIPending: "De beschrijving van de API wordt hier nog niet getoond.", OpenAPISource: "Beschrijving openen",
	},
}
