import { useState } from 'react'
import { Player } from '../lines/player.tsx'
import { useWords } from '../words/words.ts'
import classes from './messages.module.css'
import { webLink } from './text-pieces.ts'

export interface MediaOf {
  id: number
  media_urls: unknown
}

interface Medium {
  url: string
  type: string | null
}

/** Pictures are shown, audio is played, and everything else is a file to open. What we sent lies elsewhere and is a link. */
export function MessageMedia({ message: { id, media_urls: all } }: { message: MediaOf }) {
  if (!Array.isArray(all) || all.length === 0) return null
  return (
    <div className={classes.media}>
      {(all as Medium[]).map((medium, at) => (
        <OneMedium key={medium.url} medium={medium} name={`message-${id}-${at}`} />
      ))}
    </div>
  )
}

function OneMedium({ medium: { url, type }, name }: { medium: Medium; name: string }) {
  const say = useWords('messages')
  const [isBroken, setBroken] = useState(false)
  const outside = webLink(url)
  if (outside !== undefined) {
    return (
      <a href={outside.href} target="_blank" rel="noopener noreferrer nofollow">
        <strong>{outside.host}</strong>
        {outside.rest}
      </a>
    )
  }
  if (!url.startsWith('/connect/')) return null
  const kind = (type ?? '').split('/', 1)[0]
  if (kind === 'audio') return <Player source={url} label={say('audio')} />
  if (kind === 'image' && !isBroken) {
    return (
      <a href={url} target="_blank" rel="noopener">
        <img src={url} alt={say('picture')} loading="lazy" onError={() => setBroken(true)} />
      </a>
    )
  }
  return (
    <a href={url} target="_blank" rel="noopener" className={classes.file}>
      {say(kind === 'image' ? 'picture' : 'file')} <span className="dim">{formatOf(type) ?? name}</span>
    </a>
  )
}

/** `PDF`, `JPEG`; nothing for types that only programs call by their name. */
function formatOf(type: string | null): string | undefined {
  return /^\w+\/([a-z0-9]{2,5})$/.exec(type ?? '')?.[1]?.toUpperCase()
}
