import { useWords } from '../words/words.ts'
import { OutsideLink } from './outside-link.tsx'

const TWILIO_CONSOLE = 'https://console.twilio.com'
const TWILIO_KEYS = 'https://console.twilio.com/us1/account/keys-credentials/api-keys'
const ELEVENLABS_KEYS = 'https://elevenlabs.io/app/settings/api-keys'

/** Where what a card asks for stands, and what it must be allowed to do; nothing for the other cards. */
export function KeyHelp({ card }: { card: string }) {
  const say = useWords('settings')
  switch (card) {
    case 'where':
      return (
        <details className="dim">
          <summary>{say('noDomain')}</summary>
          <p>{say('noDomainServer')}</p>
          <p>{say('noDomainLaptop')}</p>
          <code>cloudflared tunnel --url {window.location.origin}</code>
        </details>
      )
    case 'account':
      return (
        <p className="dim">
          {say('accountWhere')} <OutsideLink to={TWILIO_CONSOLE}>{say('openTwilio')}</OutsideLink>
        </p>
      )
    case 'webPhone':
      return (
        <p className="dim">
          {say('webPhoneWhere')} <OutsideLink to={TWILIO_KEYS}>{say('openTwilioKeys')}</OutsideLink>
        </p>
      )
    case 'platform':
      return (
        <p className="dim">
          {say('platformWhere')} <OutsideLink to={ELEVENLABS_KEYS}>{say('openElevenLabsKeys')}</OutsideLink>
        </p>
      )
    default:
      return null
  }
}
