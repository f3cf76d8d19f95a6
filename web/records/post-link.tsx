import { useWords } from '../words/words.ts'

/** What came with a message, as this service gives it. */
const OWN_MEDIA = /^\/connect\/message\/\d+\/media\/(\d{1,2})$/
/**
 * Where the phone provider keeps media (https://www.twilio.com/docs/messaging/api/media-resource,
 * https://www.twilio.com/docs/voice/api/recording), and where it sends the person who opens them.
 */
const PROVIDER_MEDIA = /^https?:\/\/(?:[\w-]+\.)*(?:twilio\.com\/\S*\/(?:Media|Recordings)\/|twiliocdn\.com\/)/i

/**
 * A link in a text. What came with a message is opened here and has a name; what the provider keeps is no address for
 * people; any other says where it leads, and tells nobody where it was followed.
 */
export function PostLink({ address, text }: { address: string; text: string }) {
  const say = useWords('records')
  const own = OWN_MEDIA.exec(address)
  if (own !== null) {
    return (
      <a href={address} target="_blank" rel="noopener">
        {say('fileOfMessage', { number: Number(own[1]) + 1 })}
      </a>
    )
  }
  if (PROVIDER_MEDIA.test(address)) return <span className="dim">{say('fileAtProvider')}</span>
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return <>{text}</>
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer" title={url.host}>
      {text}
    </a>
  )
}
