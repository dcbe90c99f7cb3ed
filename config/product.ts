/** The name appears in the top bar, in page titles and in mails. */
export const product = {
  name: 'Atrium',
} as const
