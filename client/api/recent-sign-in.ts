type Answer = (signedIn: boolean) => void

let ask: ((answer: Answer) => void) | undefined

/** For the one place on screen that can ask for it. */
export function onSignInNeeded(listener: (answer: Answer) => void) {
  ask = listener
  return () => void (ask = undefined)
}

/** Has the person sign in again where they are: whether they did. */
export function signInAgain() {
  return new Promise<boolean>((answer) => (ask ? ask(answer) : answer(false)))
}
