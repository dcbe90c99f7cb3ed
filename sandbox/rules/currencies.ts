/** What Stripe says about currencies. Codes are in lower case, amounts in minor units. */

import type { Sourced } from './limits.ts'

const docs = 'https://docs.stripe.com/currencies'

/** The digits after the point of an amount in minor units. All other currencies have two. */
export const minorDigits: Sourced & { none: string[]; three: string[] } = {
  none: 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
  three: 'bhd jod kwd omr tnd'.split(' '),
  source: `${docs}#zero-decimal, ${docs}#three-decimal`,
}

/** Currencies whose minor units have two digits although nobody can pay them. */
export const wholeOnly: Sourced & { currencies: string[] } = {
  currencies: ['isk', 'ugx'],
  source: `${docs}#special-cases`,
}

/** The amounts that can be charged are multiples of this. */
export const smallestSteps: Sourced & { three: number; whole: number } = {
  three: 10,
  whole: 100,
  source: `${docs}#three-decimal: the last digit must be 0; ${docs}#special-cases`,
}

/**
 * The least amount of a charge. In a currency that is not here, Stripe wants the equivalent of the
 * account's own minimum; the sandbox, which has no rates, wants one step.
 */
export const minimumCharges: Sourced & { amounts: Record<string, number> } = {
  amounts: {
    aed: 200,
    aud: 50,
    bgn: 100,
    brl: 50,
    cad: 50,
    chf: 50,
    czk: 1500,
    dkk: 250,
    eur: 50,
    gbp: 30,
    hkd: 400,
    huf: 17_500,
    inr: 50,
    jpy: 50,
    mxn: 1000,
    myr: 200,
    nok: 300,
    nzd: 50,
    pln: 200,
    ron: 200,
    sek: 300,
    sgd: 50,
    thb: 1000,
    usd: 50,
  },
  source: `${docs}#minimum-and-maximum-charge-amounts`,
}
