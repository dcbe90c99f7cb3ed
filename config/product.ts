/** What the product calls itself: in the top bar, in page titles and in mails. */
export const product = {
  name: 'Atrium',
} as const
