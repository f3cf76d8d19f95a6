import { isBlankText } from '../../platform/model/values.ts'
import type { AGENT_LANGUAGES } from './provider-choices.ts'

type AgentLanguage = (typeof AGENT_LANGUAGES)[number][0]

/**
 * What an agent says of itself before its greeting, in each language that agents speak: that it is an AI (Regulation (EU)
 * 2024/1689, Article 50(1)), and that the conversation is recorded. Every conversation is: the platform records the voice
 * unless it is told otherwise (`record_voice` of `PrivacyConfig` in its API description), and the transcript is stored here.
 */
const SENTENCES: Readonly<Record<AgentLanguage, string>> = {
  ar: 'أنت تتحدث مع مساعد يعمل بالذكاء الاصطناعي، ويتم تسجيل هذه المحادثة.',
  bg: 'Разговаряте с асистент с изкуствен интелект и този разговор се записва.',
  zh: '您正在与人工智能助手通话，本次通话会被录音。',
  hr: 'Razgovarate s asistentom koji je umjetna inteligencija, a ovaj se razgovor snima.',
  cs: 'Mluvíte s asistentem, který je umělá inteligence, a tento rozhovor se nahrává.',
  da: 'Du taler med en AI-assistent, og denne samtale bliver optaget.',
  nl: 'U spreekt met een AI-assistent en dit gesprek wordt opgenomen.',
  en: 'You are talking to an AI assistant, and this conversation is recorded.',
  fi: 'Keskustelette tekoälyavustajan kanssa, ja tämä keskustelu tallennetaan.',
  fr: 'Vous parlez avec un assistant doté d’une intelligence artificielle, et cette conversation est enregistrée.',
  de: 'Sie sprechen mit einem KI-Assistenten, und dieses Gespräch wird aufgezeichnet.',
  el: 'Μιλάτε με έναν βοηθό τεχνητής νοημοσύνης και η συνομιλία αυτή καταγράφεται.',
  hi: 'आप एक एआई सहायक से बात कर रहे हैं और यह बातचीत रिकॉर्ड की जा रही है।',
  hu: 'Ön egy mesterséges intelligencián alapuló asszisztenssel beszél, és ezt a beszélgetést rögzítjük.',
  id: 'Anda sedang berbicara dengan asisten AI, dan percakapan ini direkam.',
  it: 'Sta parlando con un assistente basato sull’intelligenza artificiale e questa conversazione viene registrata.',
  ja: 'AIアシスタントが応対しており、この通話は録音されます。',
  ko: '지금 인공지능 상담원과 통화하고 계시며, 이 통화는 녹음됩니다.',
  ms: 'Anda sedang bercakap dengan pembantu AI, dan perbualan ini dirakam.',
  no: 'Du snakker med en KI-assistent, og denne samtalen blir tatt opp.',
  pl: 'Rozmawiają Państwo z asystentem opartym na sztucznej inteligencji, a ta rozmowa jest nagrywana.',
  'pt-br': 'Você está falando com um assistente de inteligência artificial, e esta conversa é gravada.',
  pt: 'Está a falar com um assistente de inteligência artificial e esta conversa é gravada.',
  ro: 'Vorbiți cu un asistent bazat pe inteligență artificială, iar această conversație este înregistrată.',
  ru: 'Вы разговариваете с ассистентом на основе искусственного интеллекта, и этот разговор записывается.',
  sk: 'Hovoríte s asistentom, ktorý je umelá inteligencia, a tento rozhovor sa nahráva.',
  es: 'Está hablando con un asistente de inteligencia artificial y esta conversación se graba.',
  sv: 'Du talar med en AI-assistent och det här samtalet spelas in.',
  ta: 'நீங்கள் ஒரு செயற்கை நுண்ணறிவு உதவியாளருடன் பேசுகிறீர்கள், இந்த உரையாடல் பதிவு செய்யப்படுகிறது.',
  tr: 'Bir yapay zekâ asistanıyla görüşüyorsunuz ve bu görüşme kaydediliyor.',
  uk: 'Ви розмовляєте з асистентом на основі штучного інтелекту, і ця розмова записується.',
  vi: 'Quý khách đang nói chuyện với trợ lý trí tuệ nhân tạo, và cuộc trò chuyện này được ghi âm.',
}

const KNOWN = Object.values(SENTENCES).map(plainWords)

/** What callers hear before the greeting, in a language of the agent; in English where the language is not one of ours. */
export function aiAnnouncement(language: string): string {
  return (SENTENCES as Readonly<Record<string, string | undefined>>)[language] ?? SENTENCES.en
}

interface GreetingAgent {
  announces_ai: boolean | null
  first_message: string
  language: string
  first_message_translations: Readonly<Record<string, string>> | null
}

/** The first message as the platform is to hold it: with the announcement before it while that is on, whatever is written. */
export function spokenGreeting({ announces_ai: isOn, first_message: greeting, language }: GreetingAgent): string {
  return isOn === true ? announced(greeting, language) : greeting
}

/**
 * The first message in an additional language; null where the platform is to say the agent's own. An announcement is said
 * in the caller's language even before a greeting in another one.
 */
export function presetGreeting(agent: GreetingAgent, language: string): string | null {
  const translation = agent.first_message_translations?.[language] || null
  if (agent.announces_ai !== true) return translation
  return announced(isBlankText(translation) ? agent.first_message : (translation ?? ''), language)
}

/** A greeting that has the sentence already does not get it twice. */
function announced(greeting: string, language: string): string {
  const sentence = aiAnnouncement(language)
  return plainWords(greeting).includes(plainWords(sentence)) ? greeting : `${sentence} ${greeting}`
}

/** Whether an announcement was made, in whatever language: of what was really said, never of how the agent is set. */
export function hasAnnouncement(said: string): boolean {
  const words = plainWords(said)
  return KNOWN.some((sentence) => words.includes(sentence))
}

/** Letters and digits alone: the platform may change blanks, capitals and quotation marks. */
function plainWords(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')
}
