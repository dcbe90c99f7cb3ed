// Tells the app that frames this page how the authentication ended.
// Without a frame, goes to the return URL that the app gave.
const { status, intent, returnUrl } = document.body.querySelector('main').dataset
if (window.parent !== window) window.parent.postMessage({ source: 'sandbox', status, intent }, '*')
else if (returnUrl) window.location.replace(returnUrl)
