// Tells the app how the sign-in in this window ended, then closes the window. If a provider's page
// has cut the two windows off from each other, the message goes through a BroadcastChannel.
const { outcome, reason, details } = document.body.dataset
const message = {
  source: 'sign-in',
  outcome,
  ...(reason && { reason }),
  ...(details && { details: JSON.parse(details) }),
}
if (window.opener) window.opener.postMessage(message, location.origin)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin
else new BroadcastChannel('sign-in').postMessage(message)
window.close()
