import type { english } from '#locales/english.ts'

type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type Singular<Key extends string> = Key extends `${infer Stem}_${Plural}` ? Stem : Key
type Paths<Messages> = {
  [Key in keyof Messages & string]: Messages[Key] extends string
    ? Singular<Key>
    : `${Key}.${Paths<Messages[Key]>}`
}[keyof Messages & string]

/** Every message by area and meaning. A key that English lacks does not compile. */
export type MessageKey = Paths<typeof english>
