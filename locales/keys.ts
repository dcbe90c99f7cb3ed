import type { english } from '#locales/english.ts'

type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type Singular<Key extends string> = Key extends `${infer Stem}_${Plural}` ? Stem : Key
type Paths<Messages> = {
  [Key in keyof Messages & string]: Messages[Key] extends string
    ? Singular<Key>
    : `${Key}.${Paths<Messages[Key]>}`
}[keyof Messages & string]

/** The words of each module, by its name: its contract.ts adds them. */
// oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces can be added to
export interface ModuleWords {}

/** Every message by area and meaning. A key that English lacks does not compile. */
export type MessageKey =
  | Paths<typeof english>
  | { [Module in keyof ModuleWords]: Paths<ModuleWords[Module]> }[keyof ModuleWords]
