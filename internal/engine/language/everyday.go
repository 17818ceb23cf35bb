package language

import (
	"bytes"
	"sync"
)

// everyday are words that people use to ask about anything: what is done, thought and said of things, how, when and how
// much. They are no stop words, since a page may be about one. Names of what software has or does (run, open, write,
// view, key) are none of them. Inflected forms are found by their stems.
var everyday = map[string]string{
	"en": `act actual again ago allow almost alone along already always another anyway apart around ask avoid away back
		bad badly become been begin behave believe belong beside besides best better big bit bring care catch
		certain choose clear clearly come consider correct correctly couple deal decide depend different difficult
		directly easy easily either else end enough especially even eventually ever every everybody everywhere
		exactly expect explain fact far fast few find fine first follow forget general give go good great guess
		happen hard hear hope idea imagine important instead just keep kind know large last late later learn
		least leave let like likely little long look lose make manner matter maybe mean mind moment must near nearly
		necessary never new next nice nobody none normal normally nothing notice now obvious occur often old once
		ones only onto other others otherwise ought own particular people perhaps person place prefer pretty prevent
		problem proper properly purpose put question quick quickly quite rather ready really reason recommend
		remember right say see seem several short show simple simply since small soon sort speak special still stuff
		such suggest suppose sure take talk tell thank think thought throughout today together tomorrow too toward
		towards trouble try turn twice typical understand unless unlike useful usual usually various via well
		whatever whenever wherever whether whole wish within wonder word work worry worth wrong yesterday yet`,
	"de": `abend allgemein alt anders anfangen art bald beginnen beispiel bekommen besser beste bitte bleiben brauchen
		bringen danach daran davon dazu denken denn eben eher eigen eigentlich einfach einmal endlich erklären erst
		falsch fast finden fragen frage ganz geben gehen genau genug gerade gern gibt gleich groß grund gut halten
		heißen heute hier immer irgendwie jetzt kennen klar klein kommen lang langsam lassen leicht lernen leute
		letzte liegen machen mal meinen mensch merken mögen möglich nächste nehmen neu nie niemand nochmal normal
		nötig nutzen oft ort passieren problem recht richtig sache sagen schlecht schnell schon schwer schwierig
		sehen sehr selten sofort sonst sprechen stehen suchen tun überhaupt üblich ungefähr verschieden verstehen
		versuchen vielleicht vorher weg weise weitere wichtig wieder wirklich wissen wohl wollen wort zeigen ziehen
		zusammen zuerst`,
	"fr": `afin ailleurs ainsi aller alors ancien appeler après arriver assez attendre aujourd aussi autant autre avant
		beaucoup besoin bien bientôt bon bonne certain cesse chaque chercher chose commencer comprendre connaître
		croire déjà demander dernier devenir devoir différent difficile dire donc donner encore endroit enfin
		ensemble ensuite entendre essayer éviter exact exemple expliquer facile façon faire faut fois garder gens
		grand gros hier ici idée important jamais juste laisser loin long lors maintenant manière mauvais meilleur
		même mettre mieux moment montrer mot moyen nécessaire nouveau oublier parfois parler partout passer penser
		perdre permettre personne petit peut peux plupart plusieurs plutôt possible pourquoi pouvoir premier prendre
		presque problème prochain propre quelque quelqu question raison rappeler regarder rendre rester réussir rien
		savoir sembler servir seul seulement simple simplement sorte souvent sûr tard tenir tomber toujours travail
		trop trouver utile utiliser venir vieux vite voir vouloir vraiment`,
	"es": `acabar además ahora algo alguien algún alguno allí antiguo antes aparecer aprender aquí así aunque ayer
		bastante bien bueno buscar cada cambio casi cierto claro colocar comenzar cómo conocer conseguir correcto
		cosa cualquier cuenta dar deber decir dejar demasiado dentro desear después diferente difícil distinto
		ejemplo elegir empezar encontrar enseñar entender entonces esperar evitar exacto explicar fácil falta forma
		fuera general gente grande gustar haber hacer hoy idea igual importante intentar ir jamás junto largo llamar
		llegar lograr luego malo manera mantener mañana mayoría medio mejor menos mientras mirar mismo modo momento
		mostrar mucho mundo nada nadie necesario necesitar normal nuevo nunca ocurrir olvidar otro palabra parecer
		pasar pensar peor pequeño perder permitir persona poder poner posible preferir pregunta primero problema
		pronto propio próximo quedar querer quizás rápido razón realmente recordar saber seguir según seguro sentir
		siempre simple sitio solo soler suceder tarde tener tomar trabajo tratar último único usar útil utilizar
		varios veces venir ver vez viejo volver`,
}

// Everyday maps stems of words that people use to ask about anything to the languages that have them, as bits in the
// order of Known.
var Everyday = sync.OnceValue(func() map[string]uint32 {
	words := map[string]uint32{}
	for i, each := range Known {
		stemmer := StemmerOf(each.Name)
		for word := range bytes.FieldsSeq([]byte(everyday[each.Name])) {
			words[stemmer.Stem(string(Fold(word)))] |= 1 << i
		}
	}
	return words
})

// IsEveryday reports whether a folded word is one that people use to ask about anything, in one of some languages,
// which are bits in the order of Known.
func IsEveryday(word string, languages uint32) bool {
	for i, each := range Known {
		if bit := uint32(1) << i; languages&bit != 0 && everyday[each.Name] != "" &&
			Everyday()[StemmerOf(each.Name).Stem(word)]&bit != 0 {
			return true
		}
	}
	return false
}
