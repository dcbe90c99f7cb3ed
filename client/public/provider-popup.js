// Tells the app how it went in this window, and closes it. No provider's page between them may have cut the two apart; then the app
// hears it from its own browser instead.
const { outcome, reason } = document.body.dataset
const message = { source: 'sign-in', outcome, ...(reason && { reason }) }
if (window.opener) window.opener.postMessage(message, location.origin)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
else new BroadcastChannel('sign-in').postMessage(message)
window.close()
