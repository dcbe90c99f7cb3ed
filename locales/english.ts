import en from './en.json' with { type: 'json' }

/** English defines which texts exist. A text that another language lacks is shown in English. */
export const english = en
