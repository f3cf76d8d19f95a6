import { Pause, Play } from 'lucide-react'
import { Button } from '../design/press.tsx'
import type { Heard } from '../lines/call-queries.ts'
import type { Playback } from '../lines/playback.ts'
import { duration } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './call.module.css'
import { WaveForm } from './wave-form.tsx'

const MS_PER_SECOND = 1_000
const WHOLE = 100
const ICON_PX = 16
const RATES = [1, 1.25, 1.5, 2] as const

/** Plays what was recorded, in the time of the call; where nothing can be played it says why. */
export function CallPlayer({
  playback,
  all,
  lengthMs,
  isLive,
}: {
  playback: Playback
  all: readonly Heard[]
  lengthMs: number
  isLive: boolean
}) {
  const say = useWords('calls')
  const { audio, heard, atMs, isPlaying, toggle } = playback
  if (heard === undefined) {
    return <p className={`${classes.player} dim`}>{say(reasonOf(all, isLive))}</p>
  }
  const share = (ms: number) => `${Math.min(WHOLE, (ms / lengthMs) * WHOLE)}%`
  const span = { marginInlineStart: share(heard.from_ms), inlineSize: share(heard.to_ms - heard.from_ms) }
  return (
    <section className={classes.player} aria-label={say('player')}>
      <div className={classes.waveLine}>
        <div style={span}>
          <WaveForm audio={audio} address={heard.address} />
        </div>
      </div>
      <div className={classes.controls}>
        <Button
          variant="default"
          size="compact-sm"
          onClick={toggle}
          leftSection={isPlaying ? <Pause size={ICON_PX} /> : <Play size={ICON_PX} />}
        >
          {say(isPlaying ? 'pause' : 'play')}
        </Button>
        <span className="number">
          {duration(atMs / MS_PER_SECOND)} / {duration(lengthMs / MS_PER_SECOND)}
        </span>
        <select
          className={classes.rate}
          aria-label={say('speed')}
          defaultValue="1"
          onChange={({ currentTarget }) => {
            if (audio.current !== null) audio.current.playbackRate = Number(currentTarget.value)
          }}
        >
          {RATES.map((rate) => (
            <option key={rate} value={rate}>{`${rate}×`}</option>
          ))}
        </select>
        <a href={heard.address} download>
          {say('download')}
        </a>
      </div>
      {/* biome-ignore lint/a11y/useMediaCaption: what was said stands beside it as the transcript */}
      <audio ref={audio} src={heard.address} preload="metadata" />
    </section>
  )
}

function reasonOf(all: readonly Heard[], isLive: boolean) {
  if (isLive) return 'notYet' as const
  const whys = all.map(({ why }) => why)
  if (whys.includes('being_fetched')) return 'beingFetched' as const
  return whys.includes('words_only') ? ('noAudio' as const) : ('noRecordings' as const)
}
