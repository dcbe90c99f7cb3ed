export function after(time: Date, milliseconds: number) {
  return new Date(time.getTime() + milliseconds)
}

/** Whole seconds since the epoch, as entities have them. */
export function seconds(time: Date) {
  return Math.floor(time.getTime() / 1000)
}
