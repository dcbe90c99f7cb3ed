// Tells the app that opened this page in a frame how the authentication ended; without a frame, goes back to where the app wanted.
const { status, intent, returnUrl } = document.body.querySelector('main').dataset
if (window.parent !== window) window.parent.postMessage({ source: 'sandbox', status, intent }, '*')
else if (returnUrl) window.location.replace(returnUrl)
