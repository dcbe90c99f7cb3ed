/** As much of oidc-provider, which brings no types, as the tests use. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
  }
}
