import { dictionary } from '@zxcvbn-ts/language-common'

/** The 10,000 most common passwords, in lower case. */
export const common = new Set(dictionary['passwords-common'].slice(0, 10_000))
