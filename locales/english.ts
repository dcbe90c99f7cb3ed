import en from './en.json' with { type: 'json' }

/** English says which texts there are. What another language lacks is shown in English. */
export const english = en
