import { ClientSecretPost, type ClientAuth } from 'openid-client'

/** The standard's own way. The library's also escapes characters that need none, which not every provider undoes. */
export function secretInHeader(clientSecret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${escape(client_id)}:${escape(clientSecret)}`)}`)
  }
}

/** In the header, unless the issuer says that it only knows another way. */
export function secretAsSupported(clientSecret: string): ClientAuth {
  const [header, body] = [secretInHeader(clientSecret), ClientSecretPost(clientSecret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: supported } = server
    return !supported || supported.includes('client_secret_basic')
      ? header(server, ...rest)
      : body(server, ...rest)
  }
}

function escape(text: string) {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}
