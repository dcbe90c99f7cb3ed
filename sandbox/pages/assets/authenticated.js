// Sends the result of 3-D Secure to the app if the app frames this page.
// Otherwise opens the return URL that the app gave.
const { status, intent, returnUrl } = document.body.querySelector('main').dataset
if (window.parent !== window) window.parent.postMessage({ source: 'sandbox', status, intent }, '*')
else if (returnUrl) window.location.replace(returnUrl)
