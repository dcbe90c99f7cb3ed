type Answer = (signedIn: boolean) => void

let ask: ((answer: Answer) => void) | undefined

/** For the dialog that asks for the sign-in. */
export function onSignInNeeded(listener: (answer: Answer) => void) {
  ask = listener
  return () => void (ask = undefined)
}

/** Asks the user to sign in again where they are. True if they did. */
export function signInAgain() {
  return new Promise<boolean>((answer) => (ask ? ask(answer) : answer(false)))
}
