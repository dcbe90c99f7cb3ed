import { secureHeaders } from 'hono/secure-headers'

/** For every page. The inline scripts of the web app are let in by their hashes. */
export function securityHeaders({ usesStripe, isHttps, scriptHashes }: { usesStripe: boolean; isHttps: boolean; scriptHashes: string[] }) {
  const stripe = (...hosts: string[]) => (usesStripe ? hosts : [])
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...scriptHashes, ...stripe('https://js.stripe.com', 'https://*.js.stripe.com')],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'https:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", ...stripe('https://api.stripe.com', 'https://maps.googleapis.com')],
      frameSrc: ["'self'", ...stripe('https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com')],
      frameAncestors: ["'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
    },
    strictTransportSecurity: isHttps && 'max-age=31536000',
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
  })
}
