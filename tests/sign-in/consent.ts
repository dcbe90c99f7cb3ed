/** A provider's page for consent. Its form leads back to the same address with a `login`. */
export function consentPage(asked: URL) {
  const { pathname, searchParams } = asked
  const hidden = Array.from(
    searchParams,
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`,
  ).join('')
  const no = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' })
  return `<!doctype html><html lang="en"><title>A provider</title><h1>A provider</h1>
    <form action="${pathname}">${hidden}<label>Login <input name="login" required></label><button>Continue</button></form>
    <a href="${escape(`${searchParams.get('redirect_uri')}?${no}`)}">Cancel</a>`
}

/** A page that posts its form by itself, as some providers answer. */
export function postingPage(answer: URL) {
  const hidden = Array.from(
    answer.searchParams,
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`,
  ).join('')
  return `<!doctype html><html lang="en"><title>A provider</title>
    <form method="post" action="${answer.origin}${answer.pathname}">${hidden}</form><script>document.forms[0].submit()</script>`
}

function escape(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
