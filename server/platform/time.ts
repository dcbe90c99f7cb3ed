export function after(time: Date, milliseconds: number) {
  return new Date(time.getTime() + milliseconds)
}

/** Returns whole seconds since the epoch, as `EpochSeconds` in the contract. */
export function seconds(time: Date) {
  return Math.floor(time.getTime() / 1000)
}
