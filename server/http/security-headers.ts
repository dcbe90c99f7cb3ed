import { secureHeaders } from 'hono/secure-headers'

/** The origins of the frames for Stripe's card fields and 3-D Secure. */
const stripeFrames = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://hooks.stripe.com',
]
const unusedFeatures = [
  'accelerometer',
  'camera',
  'displayCapture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
  'xrSpatialTracking',
]

/** For every answer that sets nothing else: it loads nothing and can't be framed. */
export function commonHeaders({ usesStripe, isHttps }: { usesStripe: boolean; isHttps: boolean }) {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    strictTransportSecurity: isHttps && 'max-age=31536000',
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
    // A sign-in provider's window must reach the app that opened it.
    crossOriginOpenerPolicy: false,
    // The sandbox's pages share their process with the app that frames them.
    originAgentCluster: false,
    permissionsPolicy: {
      ...Object.fromEntries(unusedFeatures.map((feature) => [feature, []])),
      payment: ['self', ...(usesStripe ? stripeFrames : [])],
    },
  })
}

type PageOptions = {
  usesStripe: boolean
  /**
   * A server used instead of Stripe names the address of its 3-D Secure page: any may be framed.
   */
  framesOthers: boolean
  scriptHashes: string[]
}

/** For the app's pages. Hashes allow its inline scripts. */
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
    // `commonHeaders` sets it.
    strictTransportSecurity: false,
    xFrameOptions: 'DENY',
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
  })
}
