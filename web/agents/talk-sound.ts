import captureWorklet from './capture-worklet.ts?worker&url'
import type { Sound } from './talk-socket.ts'

/** Why nobody is heard here. */
export type Deafness = 'refused' | 'none' | 'insecure'

/** There is no microphone to talk with. */
export class NoMicrophone extends Error {
  readonly why: Deafness

  constructor(why: Deafness) {
    super(why)
    this.name = 'NoMicrophone'
    this.why = why
  }
}

const ASKED = { audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 } }
/** What the copy of a trial speaks. */
const HEARD_RATE = 16_000
const BYTES_PER_SAMPLE = 2
const PEAK = 0x8000

/** Asks for the microphone, and is ready to hear and to speak; throws a NoMicrophone. */
export async function openSound(): Promise<Sound> {
  const microphone = await askForMicrophone()
  const context = new AudioContext()
  try {
    await context.audioWorklet.addModule(captureWorklet)
    await context.resume()
    return soundOf(context, microphone)
  } catch (error) {
    stop(context, microphone)
    throw error
  }
}

async function askForMicrophone(): Promise<MediaStream> {
  // Browsers have none for a page that did not come over https.
  if (navigator.mediaDevices === undefined) throw new NoMicrophone('insecure')
  try {
    return await navigator.mediaDevices.getUserMedia(ASKED)
  } catch (error) {
    throw new NoMicrophone(error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'none')
  }
}

function soundOf(context: AudioContext, microphone: MediaStream): Sound {
  const source = context.createMediaStreamSource(microphone)
  const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 })
  source.connect(capture)
  const playing = new Set<AudioBufferSourceNode>()
  let until = 0
  return {
    heard(listener) {
      capture.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => listener(base64Of(data))
    },
    play(base64) {
      const samples = samplesOf(base64)
      if (samples.length === 0) return
      const buffer = context.createBuffer(1, samples.length, HEARD_RATE)
      buffer.copyToChannel(samples, 0)
      const node = new AudioBufferSourceNode(context, { buffer })
      node.connect(context.destination)
      node.onended = () => playing.delete(node)
      playing.add(node)
      // One piece after the other, without a gap.
      until = Math.max(until, context.currentTime)
      node.start(until)
      until += buffer.duration
    },
    hush() {
      for (const node of playing) node.stop()
      playing.clear()
      until = 0
    },
    close: () => stop(context, microphone),
  }
}

function stop(context: AudioContext, microphone: MediaStream): void {
  for (const track of microphone.getTracks()) track.stop()
  if (context.state !== 'closed') void context.close()
}

function base64Of(bytes: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
}

function samplesOf(base64: string): Float32Array<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  const samples = new Float32Array(Math.floor(bytes.length / BYTES_PER_SAMPLE))
  for (let at = 0; at < samples.length; at += 1) samples[at] = view.getInt16(at * BYTES_PER_SAMPLE, true) / PEAK
  return samples
}
