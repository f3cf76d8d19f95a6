import { Pause, Play } from 'lucide-react'
import { useRef, useState } from 'react'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { party } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

const ICON = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Plays the message that somebody left, where it stands; nothing is loaded before. */
export function PlayButton({ call, number }: { call: number; number: string }) {
  const say = useWords('now')
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const toggle = (): void => {
    if (isPlaying) audio.current?.pause()
    else audio.current?.play().catch(() => tellRefusal(new Error(say('cannotPlay'))))
  }
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={toggle}
        aria-label={say(isPlaying ? 'pauseNumber' : 'playNumber', { number: party(number) })}
      >
        {isPlaying ? <Pause {...ICON} /> : <Play {...ICON} />}
      </Button>
      {/* biome-ignore lint/a11y/useMediaCaption: what was said stands on the page of the call */}
      <audio
        ref={audio}
        preload="none"
        src={`/connect/voicemail/${call}`}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
      />
    </>
  )
}
