import { secureHeaders } from 'hono/secure-headers'

/** The origins of the frames for Stripe's card fields and 3-D Secure. */
const stripeFrames = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://hooks.stripe.com',
]

/** The headers of an answer whose route sets no others: it loads nothing and can't be framed. */
export function commonHeaders({ usesStripe, isHttps }: { usesStripe: boolean; isHttps: boolean }) {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    strictTransportSecurity: isHttps && 'max-age=31536000',
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
    // Left out, because a sign-in provider's window must reach the app that opened it.
    crossOriginOpenerPolicy: false,
    // Left out, because the sandbox's pages share a process with the app that frames them.
    originAgentCluster: false,
    permissionsPolicy: {
      accelerometer: [],
      camera: [],
      displayCapture: [],
      geolocation: [],
      gyroscope: [],
      hid: [],
      magnetometer: [],
      microphone: [],
      midi: [],
      serial: [],
      usb: [],
      xrSpatialTracking: [],
      payment: ['self', ...(usesStripe ? stripeFrames : [])],
    },
  })
}

type PageOptions = {
  usesStripe: boolean
  /** Allows any site's frames, for the 3-D Secure page of a server used instead of Stripe. */
  framesOthers: boolean
  scriptHashes: string[]
}

/** The headers of the app's pages. `scriptHashes` allow the inline scripts of the pages. */
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
    // `commonHeaders` sets this header.
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
  })
}
