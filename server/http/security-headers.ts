import { secureHeaders } from 'hono/secure-headers'

/** Stripe's fields and its question to the bank are frames of these. */
const stripeFrames = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://hooks.stripe.com',
]
const nobody: string[] = []

/** For every answer, unless it says something else: what is no page loads nothing and is shown in no frame. */
export function commonHeaders({ usesStripe, isHttps }: { usesStripe: boolean; isHttps: boolean }) {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    strictTransportSecurity: isHttps && 'max-age=31536000',
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
    // The window of a sign-in provider would lose the app that opened it.
    crossOriginOpenerPolicy: false,
    // Only pages may ask for it, and the sandbox's have to share with the app that frames them.
    originAgentCluster: false,
    permissionsPolicy: {
      accelerometer: nobody,
      camera: nobody,
      displayCapture: nobody,
      geolocation: nobody,
      gyroscope: nobody,
      hid: nobody,
      magnetometer: nobody,
      microphone: nobody,
      midi: nobody,
      serial: nobody,
      usb: nobody,
      xrSpatialTracking: nobody,
      payment: ['self', ...(usesStripe ? stripeFrames : [])],
    },
  })
}

type PageOptions = {
  usesStripe: boolean
  /** The bank's question is a page of a server that stands in for Stripe, at an address that its API names: any one may be framed. */
  framesOthers: boolean
  scriptHashes: string[]
}

/** For the pages of the app. Its inline scripts are let in by their hashes. */
export function pageHeaders({ usesStripe, framesOthers, scriptHashes }: PageOptions) {
  const stripe = (...hosts: string[]) => (usesStripe ? hosts : [])
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: [
        "'self'",
        ...scriptHashes,
        ...stripe(
          'https://js.stripe.com',
          'https://*.js.stripe.com',
          'https://maps.googleapis.com',
        ),
      ],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'https:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", ...stripe('https://api.stripe.com', 'https://maps.googleapis.com')],
      frameSrc: [
        "'self'",
        ...stripe(...stripeFrames),
        ...(framesOthers ? ['http:', 'https:'] : []),
      ],
      frameAncestors: ["'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
    },
    // Said for every answer, where it is to be said.
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
  })
}
