import { type RefObject, useEffect, useRef } from 'react'
import { styleNonce } from '../data/start.ts'
import classes from './call.module.css'

const HEIGHT_PX = 32

/** The waveform of what is listened to. The library comes when there is something to draw; without it one hears all the same. */
export function WaveForm({ audio, address }: { audio: RefObject<HTMLAudioElement | null>; address: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [container, media] = [box.current, audio.current]
    if (container === null || media === null) return
    let isGone = false
    let destroy = () => {
      isGone = true
    }
    void import('wavesurfer.js').then(({ default: WaveSurfer }) => {
      if (isGone) return
      const colours = getComputedStyle(container)
      const wave = WaveSurfer.create({
        container,
        media,
        url: new URL(address, location.href).href,
        height: HEIGHT_PX,
        interact: false,
        cursorWidth: 0,
        normalize: true,
        waveColor: colours.getPropertyValue('--edge'),
        progressColor: colours.getPropertyValue('--ink'),
        cspNonce: styleNonce(),
      })
      // Audio that cannot be decoded here can still be played, or says so itself.
      wave.on('error', () => container.replaceChildren())
      destroy = () => {
        isGone = true
        wave.destroy()
      }
    })
    return () => destroy()
  }, [audio, address])
  return <div ref={box} className={classes.wave} aria-hidden />
}
