export const billingDetails = {
  name: 'Ann Archer',
  phone: '+1 217 555 0100',
  address: {
    line1: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    postal_code: '62701',
    country: 'US',
  },
} as const
