import { createContext, useContext } from 'react'

/** What is wrong with a field, by its name. */
export type FieldErrors = Record<string, string>

export const FormErrors = createContext<FieldErrors>({})

export function useFieldError(name: string) {
  return useContext(FormErrors)[name]
}
