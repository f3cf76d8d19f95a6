import { describe, expect, it } from 'vitest'
import { AGENT_LANGUAGES } from '../../../src/voiceai/agents/provider-choices.ts'
import { isAdmission } from '../../../src/voiceai/conversations/admissions.ts'
import { readGaps } from '../../../src/voiceai/conversations/post-call-turns.ts'

const caller = (message: string) => ({ role: 'user', message })
const agent = (message: string, more: object = {}) => ({ role: 'agent', message, ...more })
const ADMITS = "I'm sorry, I don’t have that information."

/** What an agent that does not know says, one sentence of each language it may speak. */
const SENTENCES: Record<(typeof AGENT_LANGUAGES)[number][0], string> = {
  ar: 'عذرًا، ليس لدي معلومات عن ذلك.',
  bg: 'За съжаление нямам информация за това.',
  zh: '抱歉，我没有这方面的信息。',
  hr: 'Žao mi je, nemam informacije o tome.',
  cs: 'Bohužel o tom nemám informace.',
  da: 'Jeg har ikke oplysninger om det.',
  nl: 'Sorry, daar heb ik niets over: ik heb geen informatie.',
  en: 'I am sorry, I do not have any information about that.',
  fi: 'Valitettavasti minulla ei ole tietoa siitä.',
  fr: 'Désolé, je n’ai pas cette information.',
  de: 'Dazu habe ich keine Informationen.',
  el: 'Λυπάμαι, δεν έχω πληροφορίες για αυτό.',
  hi: 'क्षमा करें, मेरे पास इसकी जानकारी नहीं है।',
  hu: 'Sajnos nincs erről információm.',
  id: 'Maaf, saya tidak memiliki informasi tentang itu.',
  it: 'Mi dispiace, non ho informazioni su questo.',
  ja: '申し訳ございませんが、その情報がありません。',
  ko: '죄송하지만 그에 대한 정보가 없습니다.',
  ms: 'Maaf, saya tidak mempunyai maklumat itu.',
  no: 'Beklager, jeg har ikke informasjon om det.',
  pl: 'Przykro mi, nie mam informacji na ten temat.',
  'pt-br': 'Desculpe, não tenho essa informação.',
  pt: 'Lamento, não disponho dessa informação.',
  ro: 'Îmi pare rău, nu am informații despre asta.',
  ru: 'К сожалению, у меня нет информации об этом.',
  sk: 'Žiaľ, o tom nemám informácie.',
  es: 'Lo siento, no tengo información sobre eso.',
  sv: 'Tyvärr har jag inte det; jag har ingen information om det.',
  ta: 'மன்னிக்கவும், அது பற்றிய தகவல் இல்லை.',
  tr: 'Üzgünüm, bu konuda bilgim yok.',
  uk: 'На жаль, у мене немає інформації про це.',
  vi: 'Xin lỗi, tôi không có thông tin về điều đó.',
}

describe('isAdmission', () => {
  it.each(AGENT_LANGUAGES)('hears in %s that an agent does not know', (language) => {
    expect(isAdmission(SENTENCES[language])).toBe(true)
  })

  it.each([
    ["I don't know your name yet. Could you tell me?"],
    ['Ich habe Ihre Informationen gespeichert.'],
    ['Let me look that up for you.'],
    ['Je vous donne cette information tout de suite.'],
    [''],
  ])('hears nothing of it in %j', (words) => {
    expect(isAdmission(words)).toBe(false)
  })
})

describe('readGaps', () => {
  it('names the question before an admission, by its place among the turns that are kept', () => {
    const turns = [agent('Hello!'), caller(''), caller('Do you open on Sunday?'), agent(ADMITS)]
    expect(readGaps(turns)).toEqual([
      { turn: 1, reply: 2, why: 'admitted', key: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  it('knows the same question however it is written, and lists it once', () => {
    const turns = [caller('Do you open on Sunday?'), agent(ADMITS), caller('do you open, on SUNDAY'), agent(ADMITS)]
    expect(readGaps(turns)).toMatchObject([{ turn: 2, reply: 3 }])
  })

  it.each([
    [{ tool_calls: [{ tool_name: 'report_knowledge_gap' }] }],
    [{ tool_results: [{ result: { result_type: 'knowledge_base_rag_success', status: 'no_results' } }] }],
    [{ tool_results: [{ result: { result_type: 'knowledge_base_rag_success', status: 'no_documents' } }] }],
    [{ rag_retrieval_info: { chunks: [], retrieval_query: 'sunday', embedding_model: 'e', rag_latency_secs: 1 } }],
  ])('takes the word of the platform that it found nothing: %j', (more) => {
    expect(readGaps([caller('Do you open on Sunday?'), agent('One moment.', more)])).toMatchObject([
      { why: 'reported' },
    ])
  })

  it.each([
    [[agent(ADMITS)]],
    [[caller('Yes?'), agent(ADMITS)]],
    [[caller('Do you open on Sunday?'), agent('We do.')]],
    [[caller('Good morning to you.'), agent('Hello!', { rag_retrieval_info: { chunks: [], retrieval_query: 'a' } })]],
    [[caller('Do you open?'), agent('Yes.', { tool_results: [{ result: { status: 'success' } }] })]],
    ['no list'],
    [[null, 7, { role: 'agent', tool_results: 'no', tool_calls: {} }]],
  ])('finds nothing in %j', (turns) => {
    expect(readGaps(turns)).toBeUndefined()
  })
})
