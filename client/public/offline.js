// The service worker of an installed app: answers with a page of its own if no server can be reached.
// The texts come with its address, in the language of whoever registers it.
const of = Object.fromEntries(new URL(location.href).searchParams)
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const [lang, dir, title, text, again] = [of.lang, of.dir, of.title, of.text, of.again].map(escaped)

const page = `<!doctype html>
<html lang="${lang}" dir="${dir}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui; background: Canvas; color: CanvasText }
  main { max-width: 24rem; margin: 18vh auto 0; padding: 1rem }
  h1 { font-size: 1.375rem }
  a { display: inline-block; padding: 0.75rem 0 }
</style>
<main><h1>${title}</h1><p>${text}</p><a href="">${again}</a></main>
</html>`

// The next page that is opened has the texts of the language that was chosen last.
addEventListener('install', () => void skipWaiting())
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  event.respondWith(
    fetch(event.request).catch(
      () => new Response(page, { status: 503, headers: { 'content-type': 'text/html' } }),
    ),
  )
})
