// Loads a page of a demo again when the source that it follows has changed.
(() => {
	'use strict';
	const made = new URL(document.currentScript.src).searchParams.get('at');
	const look = async () => {
		try {
			const answer = await fetch('/~/demo/state', { cache: 'no-store' });
			if (answer.ok && (await answer.text()) !== made) {
				location.reload();
				return;
			}
		} catch {
			// The demo has ended; it may come back.
		}
		setTimeout(look, 700);
	};
	setTimeout(look, 700);
})();
