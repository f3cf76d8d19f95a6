/** What a browser gives the code of an audio worklet; not in the types of a page. */
declare const sampleRate: number
declare const registerProcessor: (name: string, processor: typeof Capture) => void
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}

/** What the platform is sent: `pcm_16000` (the audio formats of its API description). */
const SENT_RATE = 16_000
/** Samples that are sent at once: a tenth of a second. */
const CHUNK_SAMPLES = 1_600
const PEAK = 0x7fff

/** Takes what the microphone hears, at whatever rate, and passes it on as 16-bit samples of the rate that is sent. */
class Capture extends AudioWorkletProcessor {
  readonly #step = sampleRate / SENT_RATE
  #chunk = new Int16Array(CHUNK_SAMPLES)
  #filled = 0
  /** How much of the sample that is being made is there. */
  #weight = 0
  #sum = 0

  /** Called by the browser, with some samples of each channel of each input. */
  process(inputs: readonly (readonly Float32Array[])[]): boolean {
    for (const sample of inputs[0]?.[0] ?? []) this.#take(sample)
    return true
  }

  /** Each sample that is sent is the mean of those in its time. */
  #take(sample: number): void {
    let left = 1
    while (this.#weight + left >= this.#step) {
      const part = this.#step - this.#weight
      this.#put((this.#sum + sample * part) / this.#step)
      left -= part
      this.#weight = 0
      this.#sum = 0
    }
    this.#weight += left
    this.#sum += sample * left
  }

  #put(value: number): void {
    this.#chunk[this.#filled] = Math.round(Math.max(-1, Math.min(1, value)) * PEAK)
    this.#filled += 1
    if (this.#filled < CHUNK_SAMPLES) return
    this.port.postMessage(this.#chunk.buffer, [this.#chunk.buffer])
    this.#chunk = new Int16Array(CHUNK_SAMPLES)
    this.#filled = 0
  }
}

registerProcessor('capture', Capture)
