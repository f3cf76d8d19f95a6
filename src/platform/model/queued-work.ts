/** Work that is done later by whichever process works on jobs. */
export interface QueuedWork {
  name: string
  payload: object
  delaySeconds?: number
}
