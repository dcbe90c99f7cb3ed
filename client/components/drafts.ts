import { createContext, type ComponentType, type RefObject } from 'react'

export type FormDraftProps = {
  form: RefObject<HTMLFormElement | null>
  /** Tells the forms of one screen apart. */
  name: string
  isDone: boolean
  /** True once the form is saved or given up, even if its screen closes at that moment. */
  isOver: RefObject<boolean>
}

/** Gives forms behind the sign-in their drafts. Visitors have none, and don't load the component. */
export const Drafts = createContext<{ FormDraft: ComponentType<FormDraftProps> } | undefined>(
  undefined,
)
