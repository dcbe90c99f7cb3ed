import type { Product } from '../../config/product.ts'

export const product: Product & { modules: 'all' } = {
  name: 'Pergola',
  tagline: 'product.tagline',
  supportEmail: 'support@example.com',
  helpUrl: 'https://example.com/help',
  termsUrl: 'https://example.com/terms',
  privacyUrl: 'https://example.com/privacy',
  statusUrl: 'https://status.example.com',
  frontOfHouse: true,
  home: 'dashboard',
  modules: 'all',
}
