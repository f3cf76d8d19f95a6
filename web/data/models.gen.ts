// Written by scripts/make-web-models.ts from the API document; a test says when it is out of date.

/** A link as it is read: the id and the name of the record. */
export type Link = [id: number, name: string]

/** A record of each model, as it is read. */
export interface Models {
  /** Country */
  'res.country': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Code */
    code: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Language */
  'res.lang': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Code */
    code: string | null
    /** Active */
    active: boolean
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Contact */
  'res.partner': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Active */
    active: boolean
    /** Phone */
    phone: string | null
    /** Mobile */
    mobile: string | null
    /** Phone (E.164) */
    phone_normalized: string | null
    /** Mobile (E.164) */
    mobile_normalized: string | null
    /** E-mail */
    email: string | null
    /** Language */
    lang: string | null
    /** Time zone */
    tz: string | null
    /** This is a company */
    is_company: boolean
    /** Company */
    parent_id: Link | null
    /** People */
    child_ids: number[]
    /** Country */
    country_id: Link | null
    /** Notes */
    comment: string | null
    /** Colleague */
    is_staff: boolean
    /** Calls */
    connect_calls_count: number | null
    /** Messages */
    connect_messages_count: number | null
    /** Recorded calls */
    connect_recorded_calls: number[]
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
    /** Phone user */
    connect_user: Link | null
  }
  /** Group */
  'res.groups': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** External id */
    external_id: string | null
    /** Implied groups */
    implied_ids: number[]
    /** Users */
    user_ids: number[]
    /** Description */
    comment: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** User */
  'res.users': {
    id: number
    display_name: string
    /** Login */
    login: string | null
    /** Name */
    name: string | null
    /** Active */
    active: boolean
    /** External user */
    share: boolean
    /** Contact */
    partner_id: Link | null
    /** Time zone */
    tz: string | null
    /** Groups */
    group_ids: number[]
    /** Password */
    password: string | null
    /** External id */
    external_id: string | null
    /** API keys */
    api_key_ids: number[]
    /** Works here */
    is_colleague: boolean
    /** Works on tickets */
    is_in_helpdesk: boolean
    /** Works with Connect */
    is_in_connect: boolean
    /** Is a manager */
    is_manager: boolean
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
    /** Phone user */
    connect_user: Link | null
  }
  /** Invitation */
  'res.users.invitation': {
    id: number
    display_name: string
    /** User */
    user_id: Link | null
    /** For */
    kind: 'invitation' | 'reset' | null
    /** Expires */
    expires_at: string | null
    /** Used */
    used_at: string | null
    /** Revoked */
    revoked_at: string | null
    /** State */
    state: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** API key */
  'res.users.apikeys': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** User */
    user_id: Link | null
    /** Expires */
    expires_at: string | null
    /** Last used */
    last_used: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Session */
  'res.users.session': {
    id: number
    display_name: string
    /** User */
    user_id: Link | null
    /** Ends */
    expires_at: string | null
    /** Signed in */
    created_at: string | null
    /** Last seen */
    last_seen: string | null
    /** Address */
    address: string | null
    /** Browser */
    agent: string | null
    /** Signed in by */
    via: 'password' | 'sso' | null
    /** Two-factor sign-in */
    has_second_factor: boolean
    /** This device */
    is_current: boolean
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Two-factor sign-in */
  'res.users.second_factor': {
    id: number
    display_name: string
    /** User */
    user_id: Link | null
    /** Confirmed */
    confirmed_at: string | null
    /** Period of the last code */
    last_period: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Known network */
  'res.users.network': {
    id: number
    display_name: string
    /** User */
    user_id: Link | null
    /** Network */
    network: string | null
    /** Last signed in */
    last_at: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Recovery code */
  'res.users.recovery_code': {
    id: number
    display_name: string
    /** User */
    user_id: Link | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Single sign-on */
  'res.users.sign_on': {
    id: number
    display_name: string
    /** User */
    user_id: Link | null
    /** Issuer */
    issuer: string | null
    /** Subject */
    subject: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Settings */
  'connect.settings': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Public address */
    api_url: string | null
    /** Fallback address */
    api_fallback_url: string | null
    /** Country */
    country_id: Link | null
    /** Company */
    company_name: string | null
    /** Time zone */
    tz: string | null
    /** Secrets last changed */
    secrets_set: unknown
    /** Instance */
    instance_uid: string | null
    /** Set up */
    was_set_up: boolean
    /** Log requests */
    debug_mode: boolean
    /** Keep webhooks (days) */
    delivery_keep_days: number | null
    /** Number search */
    number_search_operation: '=' | 'like' | null
    /** Play recordings through Connect */
    proxy_recordings: boolean
    /** Keep a copy of recordings */
    store_recordings: boolean
    /** Keep audio (days) */
    audio_keep_days: number | null
    /** Keep transcripts (days) */
    transcript_keep_days: number | null
    /** Tell callers about recording */
    announce_recordings: boolean
    /** Longest outgoing call (seconds) */
    call_duration_limit: number | null
    /** Blocked numbers */
    barred_prefixes: string | null
    /** Countries of mobiles */
    mobile_countries: string | null
    /** Outgoing calls per day */
    calls_a_day: number | null
    /** Outgoing calls per day and person */
    calls_a_day_of_user: number | null
    /** Sent messages per day */
    messages_a_day: number | null
    /** Sent messages per day and person */
    messages_a_day_of_user: number | null
    /** Transcribe calls */
    transcript_calls: boolean
    /** Transcribed by */
    transcript_provider: 'core' | 'voiceai' | null
    /** Summary prompt */
    summary_prompt: string | null
    /** Add summaries to contacts */
    register_summary: boolean
    /** Use voice agents */
    voiceai_enabled: boolean
    /** Agents can reach all contacts, tickets and meetings */
    voiceai_tools_open: boolean
    /** Agents can book outside working hours */
    calendar_outside_hours: boolean
    /** Voice-agent API key */
    voiceai_api_key: string | null
    /** Agent token */
    voiceai_agent_token: string | null
    /** Default voice */
    voiceai_voice: Link | null
    /** Language models */
    voiceai_llms: unknown
    /** Conversation start webhook */
    voiceai_conversation_initiation_webhook_url: string | null
    /** Post-call webhook URL */
    voiceai_post_call_webhook_url: string | null
    /** Post-call webhook */
    voiceai_post_call_webhook_id: string | null
    /** Post-call webhook secret */
    voiceai_post_call_webhook_secret: string | null
    /** Webhook that caused the last rotation */
    voiceai_post_call_misfit: number | null
    /** Post-call warning */
    voiceai_post_call_warning: string | null
    /** New agents say that they are an AI */
    agents_announce_ai: boolean
    /** Keep conversation audio */
    voiceai_send_audio: boolean
    /** Post-call webhook secret before the last rotation */
    voiceai_post_call_webhook_previous_secret: string | null
    /** Account SID */
    account_sid: string | null
    /** Auth token */
    auth_token: string | null
    /** API key SID */
    telco_api_key: string | null
    /** API secret */
    telco_api_secret: string | null
    /** Balance */
    telco_balance: string | null
    /** Region */
    telco_region: 'us1' | 'ie1' | 'au1' | null
    /** Edge */
    telco_edge: 'ashburn' | 'umatilla' | 'dublin' | 'frankfurt' | 'sydney' | 'sao-paulo' | 'tokyo' | 'singapore' | null
    /** Sync on save */
    telco_auto_sync: boolean
    /** Verify webhooks */
    telco_verify_requests: boolean
    /** Warning */
    telco_verification_warning: string | null
    /** Fetch call prices */
    fetch_call_prices: boolean
    /** Number reader */
    number_reader: number | null
    /** Require two-factor sign-in */
    require_second_factor: boolean
    /** Single sign-on: issuer URL */
    sso_issuer: string | null
    /** Single sign-on: client id */
    sso_client_id: string | null
    /** Single sign-on: client secret */
    sso_client_secret: string | null
    /** Single sign-on: button text */
    sso_label: string | null
    /** Single sign-on: create accounts on first sign-in */
    sso_create_users: boolean
    /** Single sign-on: groups claim */
    sso_group_claim: string | null
    /** Voice-agent API key (new) */
    display_voiceai_api_key: string | null
    /** Auth token (new) */
    display_auth_token: string | null
    /** API secret (new) */
    display_telco_api_secret: string | null
    /** Single sign-on: client secret (new) */
    display_sso_client_secret: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Erasure */
  'connect.erasure': {
    id: number
    display_name: string
    /** Contact ID */
    contact: number | null
    /** State */
    state: 'running' | 'done' | 'failed' | null
    /** Erased by */
    by: Link | null
    /** Deleted or emptied */
    counts: unknown
    /** Not yet scrubbed */
    remains: unknown
    /** Ended */
    ended_at: string | null
    /** Error */
    error: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Message */
  'mail.message': {
    id: number
    display_name: string
    /** Model */
    model: string | null
    /** Record */
    res_id: number | null
    /** Text */
    body: string | null
    /** Kind */
    message_type: 'comment' | 'notification' | 'sms' | 'mms' | 'WhatsApp' | null
    /** Subtype */
    subtype: 'comment' | 'note' | null
    /** Author */
    author_id: Link | null
    /** Written by */
    author_name: string | null
    /** Date */
    date: string | null
    /** Text message */
    connect_message: number | null
    /** Changes */
    changes: unknown
    /** Edited */
    edited_at: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Attachment */
  'connect.attachment': {
    id: number
    display_name: string
    /** File name */
    name: string | null
    /** Type */
    type: string | null
    /** Bytes */
    bytes: number | null
    /** Note */
    post: Link | null
    /** Model */
    model: string | null
    /** Record */
    res_id: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Notice */
  'connect.notice': {
    id: number
    display_name: string
    /** Person */
    user: Link | null
    /** Kind */
    kind: 'missed' | 'assigned' | 'mentioned' | 'run_failed' | 'delivery_dead' | null
    /** Model */
    res_model: string | null
    /** Record */
    res_id: number | null
    /** About */
    ref: string | null
    /** Name of the record */
    title: string | null
    /** Detail */
    detail: string | null
    /** When */
    noticed_at: string | null
    /** Read */
    read_at: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Working hours */
  'resource.calendar': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** User */
    user_id: Link | null
    /** Time zone */
    tz: string | null
    /** Hours */
    attendance_ids: number[]
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Working hours of a day */
  'resource.calendar.attendance': {
    id: number
    display_name: string
    /** Working hours */
    calendar_id: Link | null
    /** Day */
    dayofweek: '0' | '1' | '2' | '3' | '4' | '5' | '6' | null
    /** From */
    hour_from: number | null
    /** To */
    hour_to: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Meeting */
  'calendar.event': {
    id: number
    display_name: string
    /** Subject */
    name: string | null
    /** Start */
    start: string | null
    /** End */
    stop: string | null
    /** All day */
    allday: boolean
    /** Active */
    active: boolean
    /** Organiser */
    user_id: Link | null
    /** Attendees */
    partner_ids: number[]
    /** Created in call */
    made_in_call: Link | null
    /** Location */
    location: string | null
    /** Description */
    description: string | null
    /** Time zone */
    tz: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Helpdesk team */
  'helpdesk.team': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Members */
    member_ids: number[]
    /** Stages */
    stage_ids: number[]
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Helpdesk stage */
  'helpdesk.stage': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Sequence */
    sequence: number | null
    /** Closed */
    fold: boolean
    /** Teams */
    team_ids: number[]
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Ticket */
  'helpdesk.ticket': {
    id: number
    display_name: string
    /** Subject */
    name: string | null
    /** Description */
    description: string | null
    /** Active */
    active: boolean
    /** Team */
    team_id: Link | null
    /** Stage */
    stage_id: Link | null
    /** Assigned to */
    user_id: Link | null
    /** Contact */
    partner_id: Link | null
    /** Contact name */
    partner_name: string | null
    /** Contact e-mail */
    partner_email: string | null
    /** Contact phone */
    partner_phone: string | null
    /** Phone (E.164) */
    phone_normalized: string | null
    /** Priority */
    priority: '0' | '1' | '2' | '3' | null
    /** Closed on */
    closed_at: string | null
    /** Position */
    position: number | null
    /** Board position */
    board_rank: number | null
    /** Created in call */
    made_in_call: Link | null
    /** Calls */
    connect_calls: number[]
    /** Number of calls */
    connect_calls_count: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Call */
  'connect.call': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Connections */
    channels: number[]
    /** Recordings */
    recordings: number[]
    /** Caller */
    caller: string | null
    /** Called */
    called: string | null
    /** Direction */
    direction: 'incoming' | 'outgoing' | 'internal' | null
    /** Type */
    call_type: 'phone' | 'whatsapp' | null
    /** Status */
    status: 'queued' | 'initiated' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'failed' | 'no-answer' | 'canceled' | null
    /** Duration (seconds) */
    duration: number | null
    /** Duration (minutes) */
    duration_minutes: number | null
    /** Duration */
    duration_human: string | null
    /** Contact */
    partner: Link | null
    /** Calling phone user */
    caller_pbx_user: Link | null
    /** Answering phone user */
    answered_pbx_user: Link | null
    /** Called phone users */
    called_pbx_users: number[]
    /** Calling user */
    caller_user: Link | null
    /** Answering user */
    answered_user: Link | null
    /** Called users */
    called_users: number[]
    /** Started */
    started_at: string | null
    /** Answered */
    answered_at: string | null
    /** Ended */
    ended_at: string | null
    /** Why it ended */
    end_reason: 'ended' | 'caller_gave_up' | 'nobody_answered' | 'refused' | 'not_reached' | 'agent_not_reached' | 'nothing_dialled' | 'not_reported' | null
    /** Timeline */
    strip: unknown
    /** Conversation began */
    conversation_started_at: string | null
    /** Conversation (seconds) */
    conversation_seconds: number | null
    /** Reason given by ElevenLabs */
    conversation_end: string | null
    /** Conversation ending */
    conversation_ending: string | null
    /** Conversation error */
    conversation_error: string | null
    /** ElevenLabs rating */
    conversation_result: string | null
    /** Conversation failed */
    conversation_failed: boolean
    /** AI announcement */
    ai_announcement: 'played' | 'not_played' | null
    /** Nobody spoke */
    nobody_spoke: boolean
    /** Goals of the conversation */
    conversation_criteria: unknown
    /** Data from the conversation */
    conversation_data: unknown
    /** Cost of the conversation (credits) */
    conversation_cost: number | null
    /** Cost of the conversation (USD) */
    conversation_cost_usd: number | null
    /** Charges of the conversation */
    conversation_charging: unknown
    /** Language of the conversation */
    conversation_language: string | null
    /** Tags of the conversation */
    conversation_tags: unknown
    /** Caller name */
    caller_name: string | null
    /** Caller verification */
    stir_verstat: string | null
    /** Caller verification */
    caller_verification: string | null
    /** Forwarded from */
    forwarded_from: string | null
    /** Outcome */
    outcome: 'in_progress' | 'agent' | 'person' | 'agent_person' | 'voicemail' | 'missed' | 'given_up' | 'busy' | 'no_answer' | 'failed' | null
    /** Waited (seconds) */
    wait_seconds: number | null
    /** Answered only by an agent */
    only_agent: boolean
    /** Called back */
    callback_done_at: string | null
    /** Called back by */
    callback_done_by: Link | null
    /** Needs a call back */
    needs_callback: boolean
    /** Ends of dialled connections */
    dial_ends: unknown
    /** Parent call */
    parent_call: Link | null
    /** Voicemail */
    voicemail_url: string | null
    /** Voicemail (seconds) */
    voicemail_duration: number | null
    /** Has a voicemail */
    voicemail_icon: string | null
    /** Voicemail (player) */
    voicemail_widget: string | null
    /** Recording */
    recording: Link | null
    /** Has a recording */
    recording_icon: string | null
    /** Recording (player) */
    recording_widget: string | null
    /** Transcript */
    transcript: string | null
    /** Summary */
    summary: string | null
    /** Has an error */
    has_error: boolean
    /** Error code */
    error_code: string | null
    /** Error */
    error_message: string | null
    /** Call SID */
    call_sid: string | null
    /** Price */
    price: number | null
    /** Price unit */
    price_unit: string | null
    /** Currency */
    price_currency: string | null
    /** Price fetched */
    is_price_fetched: boolean
    /** Note on the contact */
    register_note: number | null
    /** Missed-call comment */
    missed_note: number | null
    /** Voice agent */
    voiceai_agent: Link | null
    /** Conversation */
    voiceai_conversation_id: string | null
    /** Agent summary */
    voiceai_summary: string | null
    /** Agent transcript */
    voiceai_transcript: string | null
    /** Agent recording (player) */
    voiceai_recording_widget: string | null
    /** Ticket */
    ticket: Link | null
    /** About */
    ref: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Connection */
  'connect.channel': {
    id: number
    display_name: string
    /** Call SID */
    sid: string | null
    /** Parent call SID */
    parent_sid: string | null
    /** Parent connection */
    parent_channel: Link | null
    /** Call */
    call: Link | null
    /** Caller */
    caller: string | null
    /** Called */
    called: string | null
    /** To */
    to: string | null
    /** Caller number */
    caller_number: string | null
    /** Called number */
    called_number: string | null
    /** Direction */
    technical_direction: 'inbound' | 'outbound-api' | 'outbound-dial' | null
    /** Status */
    status: 'queued' | 'initiated' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'failed' | 'no-answer' | 'canceled' | null
    /** Duration (seconds) */
    duration: number | null
    /** Duration (minutes) */
    duration_minutes: number | null
    /** Duration */
    duration_human: string | null
    /** Billed minutes */
    duration_billing: number | null
    /** Type */
    call_type: 'phone' | 'whatsapp' | null
    /** Contact */
    partner: Link | null
    /** Calling phone user */
    caller_pbx_user: Link | null
    /** Called phone user */
    called_pbx_user: Link | null
    /** Calling user */
    caller_user: Link | null
    /** Called user */
    called_user: Link | null
    /** Recording */
    recording_state: 'off' | 'on' | 'starting' | 'stopping' | 'error' | null
    /** Recording reference */
    recording_control_ref: string | null
    /** Recording error */
    recording_control_error: string | null
    /** Started */
    started_at: string | null
    /** Answered */
    answered_at: string | null
    /** Ended */
    ended_at: string | null
    /** Error code */
    error_code: string | null
    /** Error */
    error_message: string | null
    /** Caller name */
    caller_name: string | null
    /** Caller verification */
    stir_verstat: string | null
    /** Forwarded from */
    forwarded_from: string | null
    /** Conference SID */
    conference_sid: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Recording */
  'connect.recording': {
    id: number
    display_name: string
    /** Recording SID */
    sid: string | null
    /** Call SID */
    call_sid: string | null
    /** Call */
    call: Link | null
    /** Connection */
    channel: Link | null
    /** Contact */
    partner: Link | null
    /** Calling user */
    caller_user: Link | null
    /** Called user */
    called_user: Link | null
    /** Users */
    users: number[]
    /** Caller number */
    caller_number: string | null
    /** Called number */
    called_number: string | null
    /** Audio address */
    media_url: string | null
    /** Audio file */
    recording_filename: string | null
    /** Audio type */
    media_type: string | null
    /** Audio removed */
    audio_removed_at: string | null
    /** Player */
    recording_widget: string | null
    /** Player (agent) */
    voiceai_recording_widget: string | null
    /** Source */
    source: string | null
    /** Price */
    price: number | null
    /** Price unit */
    price_unit: string | null
    /** Status */
    status: string | null
    /** Conference SID */
    conference_sid: string | null
    /** Has audio */
    is_recorded: boolean
    /** Duration (seconds) */
    duration: number | null
    /** Duration */
    duration_human: string | null
    /** Start */
    start_time: string | null
    /** Transcript */
    transcript: string | null
    /** Summary */
    summary: string | null
    /** Short summary */
    list_view_summary: string | null
    /** Transcription pending */
    transcription_pending: boolean
    /** Transcription error */
    transcription_error: string | null
    /** Transcription price */
    transcription_price: string | null
    /** Agent transcript */
    voiceai_transcript: string | null
    /** Turns */
    turns: unknown
    /** Conversation began */
    conversation_started_at: string | null
    /** Why the conversation ended */
    termination_reason: string | null
    /** Agent summary */
    voiceai_summary: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Voicemail */
  'connect.voicemail': {
    id: number
    display_name: string
    /** Recording SID */
    sid: string | null
    /** Call SID */
    call_sid: string | null
    /** Call */
    call: Link | null
    /** Audio address */
    url: string | null
    /** Duration (seconds) */
    duration: number | null
    /** Duration */
    duration_human: string | null
    /** Start */
    start_time: string | null
    /** Player */
    recording_widget: string | null
    /** Audio type */
    media_type: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Audio to remove */
  'connect.media_removal': {
    id: number
    display_name: string
    /** Stored audio */
    media_ref: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Message thread */
  'connect.conversation': {
    id: number
    display_name: string
    /** Channel */
    channel: 'sms' | 'WhatsApp' | null
    /** Our number */
    ours: string | null
    /** Their number */
    theirs: string | null
    /** Contact */
    partner: Link | null
    /** Assigned to */
    assigned: Link | null
    /** Closed */
    closed_at: string | null
    /** Opted out (STOP) */
    opted_out_at: string | null
    /** Last message from them */
    last_incoming_at: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Thread reader */
  'connect.conversation.reader': {
    id: number
    display_name: string
    /** Conversation */
    conversation: Link | null
    /** Person */
    user: Link | null
    /** Read up to this message */
    read_up_to: number | null
    /** Own newest message */
    own_last: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Text message */
  'connect.message': {
    id: number
    display_name: string
    /** Message SID */
    message_sid: string | null
    /** From */
    from_number: string | null
    /** To */
    to_number: string | null
    /** Text */
    body: string | null
    /** Media */
    num_media: number | null
    /** Type */
    message_type: 'sms' | 'mms' | 'WhatsApp' | null
    /** Status */
    status: 'draft' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'received' | 'failed' | 'undelivered' | null
    /** Status rank */
    status_rank: number | null
    /** Direction */
    direction: 'incoming' | 'outgoing' | null
    /** Sent by */
    sender_user: Link | null
    /** Contact */
    partner: Link | null
    /** City */
    from_city: string | null
    /** State */
    from_state: string | null
    /** ZIP */
    from_zip: string | null
    /** Country */
    from_country: string | null
    /** Thread type */
    res_model: string | null
    /** Thread entry */
    res_id: number | null
    /** Thread */
    ref: string | null
    /** Conversation */
    conversation: Link | null
    /** In reply to */
    parent_message: Link | null
    /** Media address */
    media_url: string | null
    /** Media type */
    media_content_type: string | null
    /** All media */
    media: unknown
    /** Addresses of all media */
    media_urls: unknown
    /** Media (shown) */
    media_widget: string | null
    /** Latitude */
    latitude: number | null
    /** Longitude */
    longitude: number | null
    /** Location */
    location_label: string | null
    /** Location address */
    location_address: string | null
    /** Location (map) */
    location_widget: string | null
    /** Chosen option (ID) */
    reply_id: string | null
    /** Chosen option */
    reply_title: string | null
    /** Template SID */
    content_sid: string | null
    /** Template variables */
    content_variables: unknown
    /** Sending attempt */
    attempt: number | null
    /** Has an error */
    has_error: boolean
    /** Error code */
    error_code: string | null
    /** Error */
    error_message: string | null
    /** Waiting for */
    waits_for: string | null
    /** Account SID */
    account_sid: string | null
    /** Address at Twilio */
    wire_address: string | null
    /** User id of the channel */
    external_user_id: string | null
    /** Messaging service SID */
    messaging_service_sid: string | null
    /** Name */
    name: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Webhook */
  'connect.delivery': {
    id: number
    display_name: string
    /** Area */
    area: string | null
    /** Route */
    route: string | null
    /** Tool */
    tool: string | null
    /** Result */
    verdict: 'handled' | 'refused' | 'rejected' | 'failed' | null
    /** Reason */
    reason: string | null
    /** Status */
    status: number | null
    /** Milliseconds */
    ms: number | null
    /** Time-out (milliseconds) */
    budget_ms: number | null
    /** Received */
    received_at: string | null
    /** Call */
    call_ref: number | null
    /** Conversation */
    conversation: string | null
    /** Inbox entry */
    inbox: number | null
    /** Call SID */
    call_sid: string | null
    /** Host */
    host: string | null
    /** Address */
    target: string | null
    /** Headers */
    headers: unknown
    /** Body */
    body: string | null
    /** Body (bytes) */
    body_bytes: number | null
    /** Reply */
    reply: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Inbox */
  'connect.inbox': {
    id: number
    display_name: string
    /** Key */
    key: string | null
    /** Kind */
    kind: string | null
    /** State */
    state: string | null
    /** Conversation */
    conversation: string | null
    /** Webhook */
    payload: string | null
    /** Stored audio */
    media_ref: string | null
    /** Received */
    received_at: string | null
    /** Attempts */
    attempts: number | null
    /** Next attempt */
    next_attempt_at: string | null
    /** Last error */
    error: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Tool answer */
  'connect.tool_answer': {
    id: number
    display_name: string
    /** What was asked */
    key: string | null
    /** Answered */
    answered_at: string | null
    /** Answer */
    answer: unknown
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Lease */
  'connect.lease': {
    id: number
    display_name: string
    /** On what */
    name: string | null
    /** Holder */
    holder: string | null
    /** Expires */
    expires_at: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Job */
  'connect.job': {
    id: number
    display_name: string
    /** Kind */
    kind: string | null
    /** State */
    state: 'created' | 'retry' | 'active' | 'failed' | 'cancelled' | null
    /** Retries */
    attempts: number | null
    /** Maximum attempts */
    attempts_max: number | null
    /** Last error */
    error: string | null
    /** Due */
    due: string | null
    /** Started */
    started_at: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Sync */
  'connect.sync_run': {
    id: number
    display_name: string
    /** Provider */
    area: 'voiceai' | 'telco' | null
    /** What */
    kind: 'sync' | 'tools' | 'token' | 'prompts' | 'check' | 'webhook' | 'remove_tools' | 'applications' | 'domains' | 'numbers' | 'caller_ids' | 'senders' | 'templates' | null
    /** State */
    state: 'queued' | 'running' | 'done' | 'failed' | null
    /** Step */
    step: string | null
    /** Steps */
    steps: unknown
    /** Can be cancelled */
    can_cancel: boolean
    /** Cancelled */
    is_cancelled: boolean
    /** Counts */
    counts: unknown
    /** Out of sync */
    errors: unknown
    /** Differences */
    differences: unknown
    /** Summary */
    summary: string | null
    /** Started */
    started_at: string | null
    /** Ended */
    ended_at: string | null
    /** Last active */
    alive_at: string | null
    /** Attempts */
    attempts: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Audit */
  'connect.audit': {
    id: number
    display_name: string
    /** At */
    at: string | null
    /** Who */
    user: Link | null
    /** API key */
    key: string | null
    /** By */
    via: 'page' | 'key' | null
    /** Model */
    model: string | null
    /** Record */
    res_id: number | null
    /** What */
    what: string | null
    /** Changes */
    changes: unknown
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Checks */
  'connect.check_run': {
    id: number
    display_name: string
    /** State */
    state: 'running' | 'done' | 'failed' | null
    /** Started */
    started_at: string | null
    /** Ended */
    ended_at: string | null
    /** Findings */
    findings: unknown
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Seed */
  'connect.seed': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Saved view */
  'connect.view': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** List */
    model: string | null
    /** Filter */
    query: unknown
    /** Owner */
    user: Link | null
    /** Position */
    position: number | null
    /** Open by default */
    is_default: boolean
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Voice agent */
  'connect.voiceai_agent': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Voice */
    voice: Link | null
    /** Greeting */
    first_message: string | null
    /** Greeting in other languages */
    first_message_translations: unknown
    /** Says that it is an AI */
    announces_ai: boolean
    /** Said before the greeting */
    announcement: string | null
    /** Prompt */
    prompt: string | null
    /** Prompt versions */
    prompt_version_ids: number[]
    /** Prompt version */
    active_prompt_version: Link | null
    /** Template */
    template: Link | null
    /** Language */
    language: 'ar' | 'bg' | 'zh' | 'hr' | 'cs' | 'da' | 'nl' | 'en' | 'fi' | 'fr' | 'de' | 'el' | 'hi' | 'hu' | 'id' | 'it' | 'ja' | 'ko' | 'ms' | 'no' | 'pl' | 'pt-br' | 'pt' | 'ro' | 'ru' | 'sk' | 'es' | 'sv' | 'ta' | 'tr' | 'uk' | 'vi' | null
    /** Additional languages */
    additional_languages: number[]
    /** Tools */
    tools: number[]
    /** Knowledge */
    knowledge: number[]
    /** Language model */
    llm: string | null
    /** Temperature */
    temperature: number | null
    /** Longest answer (tokens) */
    max_tokens: number | null
    /** Stability of the voice */
    stability: number | null
    /** Similarity to the voice */
    similarity_boost: number | null
    /** Speed of the voice */
    speed: number | null
    /** Speech model */
    model: 'flash_v2_5' | 'flash_v2' | 'multilingual_v2' | 'v3_conversational' | 'v4' | 'v4_turbo' | 'turbo_v2_5' | 'turbo_v2' | null
    /** Fast speech */
    use_flash: boolean
    /** Audio to the caller */
    output_audio_format: 'ulaw_8000' | 'pcm_8000' | 'pcm_16000' | 'pcm_22050' | 'pcm_24000' | 'pcm_44100' | 'pcm_48000' | null
    /** Audio from the caller */
    user_input_audio_format: 'ulaw_8000' | 'pcm_8000' | 'pcm_16000' | 'pcm_22050' | 'pcm_24000' | 'pcm_44100' | 'pcm_48000' | null
    /** Longest conversation (seconds) */
    max_duration_seconds: number | null
    /** Conversations at once */
    agent_concurrency_limit: number | null
    /** Conversations per day */
    daily_limit: number | null
    /** Wait for the caller (seconds) */
    turn_timeout: number | null
    /** Hang up after silence (seconds) */
    silence_end_call_timeout: number | null
    /** Transfers to agents */
    transfer_to_agent: number[]
    /** Can transfer to agents */
    has_transfer_tool: boolean
    /** Agent id */
    agent_uid: string | null
    /** Calls are connected */
    connect_method: 'register' | 'sip' | null
    /** If unanswered, ring */
    fallback_exten: Link | null
    /** If unanswered, say */
    fallback_message: string | null
    /** Extension */
    exten: Link | null
    /** Short number */
    exten_number: string | null
    /** Remarks */
    remarks: unknown
    /** In sync */
    synced: boolean
    /** Sync error */
    sync_error: string | null
    /** Creation requested */
    create_asked_at: string | null
    /** Requested name */
    create_asked_name: string | null
    /** Stored at ElevenLabs */
    pushed: unknown
    /** Virtual number id */
    voiceai_virtual_number_uid: string | null
    /** Callers may come from */
    voiceai_inbound_allowed_ips: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Agent prompt */
  'connect.voiceai_agent_prompt': {
    id: number
    display_name: string
    /** Agent */
    agent: Link | null
    /** Version */
    name: string | null
    /** Prompt */
    prompt: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Agent draft */
  'connect.voiceai_agent_draft': {
    id: number
    display_name: string
    /** Agent */
    agent: Link | null
    /** Changes */
    vals: unknown
    /** Values before */
    base: unknown
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Agent transfer */
  'connect.voiceai_agent_transfer': {
    id: number
    display_name: string
    /** Agent */
    agent: Link | null
    /** Transfer to */
    transfer_to_agent: Link | null
    /** Condition */
    condition: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Knowledge */
  'connect.voiceai_knowledge': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Type */
    kind: 'text' | 'file' | 'page' | 'site' | null
    /** Text */
    text: string | null
    /** Web address */
    url: string | null
    /** Page limit */
    pages_max: number | null
    /** File */
    file: number | null
    /** File name */
    file_name: string | null
    /** File size (bytes) */
    file_bytes: number | null
    /** File (address) */
    file_url: string | null
    /** Used */
    usage: 'auto' | 'prompt' | null
    /** Voice agents */
    agents: number[]
    /** Document id */
    document_uid: string | null
    /** Reading id */
    crawl_uid: string | null
    /** Reading */
    crawl_status: string | null
    /** Pages read */
    pages: number | null
    /** Source at ElevenLabs */
    pushed_source: string | null
    /** In sync */
    synced: boolean
    /** Sync error */
    sync_error: string | null
    /** Creation requested */
    create_asked_at: string | null
    /** Request */
    create_asked: unknown
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Unanswered question */
  'connect.voiceai_question': {
    id: number
    display_name: string
    /** Voice agent */
    agent: Link | null
    /** Call */
    call: Link | null
    /** Conversation */
    conversation: string | null
    /** Turn */
    turn: number | null
    /** Turn of the agent */
    reply_turn: number | null
    /** Question */
    question: string | null
    /** What the agent said */
    reply: string | null
    /** Found by */
    why: 'reported' | 'admitted' | null
    /** Times asked */
    times: number | null
    /** Last asked */
    asked_at: string | null
    /** State */
    state: 'open' | 'answered' | 'dismissed' | null
    /** Answer */
    answer: Link | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Agent template */
  'connect.voiceai_agent_template': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** System prompt */
    system_prompt: string | null
    /** Tools */
    tools: number[]
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Agent tool */
  'connect.voiceai_agent_tool': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Description */
    description: string | null
    /** Type */
    tool_type: 'system' | 'webhook' | 'client' | null
    /** Path */
    path: string | null
    /** External address */
    url: string | null
    /** Callback URL */
    callback_url: string | null
    /** Method */
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | null
    /** Parameters in */
    param_type: 'body' | null
    /** Parameters */
    params: number[]
    /** Description of the parameters */
    body_params_description: string | null
    /** Wait for the answer (seconds) */
    response_timeout_secs: number | null
    /** Waits for the client */
    client_expects_response: boolean
    /** The caller cannot interrupt */
    disable_interruptions: boolean
    /** Key tones outside the audio */
    use_out_of_band_dtmf: boolean
    /** Voicemail message */
    voicemail_message: string | null
    /** Tool id */
    tool_id: string | null
    /** In sync */
    synced: boolean
    /** Sync error */
    sync_error: string | null
    /** Creation requested */
    create_asked_at: string | null
    /** Request */
    create_asked: unknown
    /** Variables at the platform */
    pushed_variables: unknown
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Tool parameter */
  'connect.agent_tool_params': {
    id: number
    display_name: string
    /** Tool */
    tool: Link | null
    /** Name */
    name: string | null
    /** Type */
    data_type: 'string' | 'boolean' | 'integer' | null
    /** Required */
    required: boolean
    /** Source */
    value_type: 'description' | 'dynamic_variable' | 'constant_value' | null
    /** Description */
    description: string | null
    /** Dynamic variable */
    dynamic_variable: string | null
    /** Constant */
    constant_value: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Agent trial */
  'connect.voiceai_trial': {
    id: number
    display_name: string
    /** Voice agent */
    agent: Link | null
    /** Draft */
    is_draft: boolean
    /** Talked */
    kind: 'text' | 'voice' | null
    /** Caller */
    caller: string | null
    /** Called */
    called: string | null
    /** Contact */
    partner: Link | null
    /** Ends at the latest */
    expires_at: string | null
    /** Ended */
    ended_at: string | null
    /** Tools */
    steps: unknown
    /** Requests of tools */
    tool_calls: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Voice */
  'connect.voiceai_voice': {
    id: number
    display_name: string
    /** Voice id */
    voice_id: string | null
    /** Name */
    name: string | null
    /** Language */
    language: string | null
    /** Accent */
    accent: string | null
    /** Age */
    age: string | null
    /** Gender */
    gender: string | null
    /** Preview address */
    preview_url: string | null
    /** Description */
    description: string | null
    /** Preview (address) */
    preview_audio_url: string | null
    /** Preview */
    preview_audio: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Generated speech */
  'connect.voiceai_file': {
    id: number
    display_name: string
    /** Text */
    text: string | null
    /** Audio */
    file: string | null
    /** File name */
    filename: string | null
    /** Preview */
    preview_audio: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Phone user */
  'connect.user': {
    id: number
    display_name: string
    /** Login */
    user: Link | null
    /** Name */
    name: string | null
    /** Active */
    active: boolean
    /** Username */
    username: string | null
    /** SIP domain */
    domain: Link | null
    /** SIP password */
    password: string | null
    /** Credential SID */
    sid: string | null
    /** Sync error (Twilio) */
    sync_error: string | null
    /** SIP phone */
    sip_enabled: boolean
    /** SIP phone rings */
    sip_priority: '1' | '2' | '3' | null
    /** SIP phone rings for (seconds) */
    sip_ring_timeout: number | null
    /** Web phone */
    client_enabled: boolean
    /** Web phone rings */
    client_priority: '1' | '2' | '3' | null
    /** Web phone rings for (seconds) */
    client_ring_timeout: number | null
    /** Mobile */
    mobile_enabled: boolean
    /** Mobile number */
    mobile_number: string | null
    /** Mobile rings */
    mobile_priority: '1' | '2' | '3' | null
    /** Mobile rings for (seconds) */
    mobile_ring_timeout: number | null
    /** Voicemail */
    voicemail_enabled: boolean
    /** Voicemail prompt */
    voicemail_prompt: string | null
    /** Greeting */
    greeting_message: string | null
    /** Language */
    language: 'ca-ES' | 'cs-CZ' | 'da-DK' | 'de-DE' | 'en-GB' | 'en-US' | 'es-ES' | 'es-MX' | 'fi-FI' | 'fr-FR' | 'hu-HU' | 'is-IS' | 'it-IT' | 'nl-BE' | 'nl-NL' | 'pl-PL' | 'pt-BR' | 'pt-PT' | 'ro-RO' | 'ru-RU' | 'sk-SK' | 'sv-SE' | 'tr-TR' | 'uk-UA' | 'vi-VN' | 'zh-CN' | null
    /** Voice */
    voice: string | null
    /** Record calls */
    record_calls: boolean
    /** Notify about missed calls */
    missed_calls_notify: boolean
    /** Extension */
    telco_exten: Link | null
    /** Short number */
    telco_exten_number: string | null
    /** Outgoing caller ID */
    telco_outgoing_callerid: Link | null
    /** Web phone application */
    application: Link | null
    /** WhatsApp sender */
    whatsapp_sender_id: Link | null
    /** Edge */
    telco_edge: 'roaming' | 'ashburn' | 'umatilla' | 'dublin' | 'frankfurt' | 'sydney' | 'sao-paulo' | 'tokyo' | 'singapore' | null
    /** SIP address */
    uri: string | null
    /** Edge SIP address */
    connect_uri: string | null
    /** Generated voicemail prompt */
    voicemail_prompt_file: Link | null
    /** Voicemail prompt (audio) */
    voicemail_prompt_widget: string | null
    /** Remarks */
    remarks: unknown
    /** Summary prompt */
    summary_prompt: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Favourite */
  'connect.favorite': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Phone number */
    phone_number: string | null
    /** User */
    user: Link | null
    /** Contact */
    partner: Link | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Debug line */
  'connect.debug': {
    id: number
    display_name: string
    /** Model */
    model: string | null
    /** Message */
    message: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Outgoing calls and messages of a day */
  'connect.outgoing_count': {
    id: number
    display_name: string
    /** Day */
    day: string | null
    /** Kind */
    kind: 'call' | 'message' | null
    /** Person */
    user: number | null
    /** Count */
    count: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Extension */
  'connect.telco.exten': {
    id: number
    display_name: string
    /** Number */
    number: string | null
    /** Leads to (type) */
    model: 'connect.user' | 'connect.telco.callflow' | 'connect.telco.markup' | 'connect.voiceai_agent' | null
    /** Leads to (entry) */
    res_id: number | null
    /** Mobile number */
    mobile_number: string | null
    /** Whose mobile */
    mobile_name: string | null
    /** Leads to */
    dst: string | null
    /** Leads to */
    dst_name: string | null
    /** Type */
    model_friendly: string | null
    /** Name */
    name: string | null
    /** TwiML */
    markup_preview: string | null
    /** Remarks */
    remarks: unknown
    /** Agents can transfer here */
    is_published: boolean
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Call flow */
  'connect.telco.callflow': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Extension */
    exten: Link | null
    /** Short number */
    exten_number: string | null
    /** Language */
    language: 'ca-ES' | 'cs-CZ' | 'da-DK' | 'de-DE' | 'en-GB' | 'en-US' | 'es-ES' | 'es-MX' | 'fi-FI' | 'fr-FR' | 'hu-HU' | 'is-IS' | 'it-IT' | 'nl-BE' | 'nl-NL' | 'pl-PL' | 'pt-BR' | 'pt-PT' | 'ro-RO' | 'ru-RU' | 'sk-SK' | 'sv-SE' | 'tr-TR' | 'uk-UA' | 'vi-VN' | 'zh-CN' | null
    /** Voice */
    voice: string | null
    /** Ask callers to choose */
    gather_input: boolean
    /** Input */
    gather_input_type: 'dtmf' | 'speech' | 'dtmf speech' | null
    /** Wait for input (seconds) */
    gather_timeout: number | null
    /** Number of keys */
    gather_digits: number | null
    /** Likely words */
    gather_hints: string | null
    /** Prompt */
    prompt_message: string | null
    /** Attempts */
    gather_rounds: number | null
    /** Message after a wrong key */
    invalid_input_message: string | null
    /** Choices */
    choices: number[]
    /** Ring */
    ring_users: number[]
    /** Ring mobiles too */
    ring_mobiles: number[]
    /** If unanswered, ring */
    fallback_exten: Link | null
    /** If unanswered, say */
    fallback_message: string | null
    /** Record calls */
    record_calls: boolean
    /** Voicemail */
    voicemail_enabled: boolean
    /** Voicemail prompt */
    voicemail_prompt: string | null
    /** Input URL */
    gather_action_url: string | null
    /** Remarks */
    remarks: unknown
    /** Generated prompt */
    prompt_message_file: Link | null
    /** Generated message after a wrong key */
    invalid_input_message_file: Link | null
    /** Generated voicemail prompt */
    voicemail_prompt_file: Link | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Call flow choice */
  'connect.telco.callflow_choice': {
    id: number
    display_name: string
    /** Call flow */
    callflow: Link | null
    /** Keys */
    choice_digits: string | null
    /** Extension */
    exten: Link | null
    /** Spoken words */
    speech: string | null
    /** Order */
    sequence: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Business hours */
  'connect.telco.business_hours': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Time zone */
    tz: string | null
    /** Opening hours */
    opening_ids: number[]
    /** Holidays */
    holiday_ids: number[]
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Opening hours */
  'connect.telco.opening': {
    id: number
    display_name: string
    /** Business hours */
    business_hours: Link | null
    /** Day */
    dayofweek: '0' | '1' | '2' | '3' | '4' | '5' | '6' | null
    /** From */
    hour_from: number | null
    /** To */
    hour_to: number | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Holiday */
  'connect.telco.holiday': {
    id: number
    display_name: string
    /** Business hours */
    business_hours: Link | null
    /** Name */
    name: string | null
    /** First day */
    date_from: string | null
    /** Last day */
    date_to: string | null
    /** Every year */
    is_yearly: boolean
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Number */
  'connect.telco.number': {
    id: number
    display_name: string
    /** Phone number */
    phone_number: string | null
    /** Name */
    friendly_name: string | null
    /** Number SID */
    sid: string | null
    /** Sync error (Twilio) */
    sync_error: string | null
    /** Don't manage this number */
    is_ignored: boolean
    /** Answered by */
    destination: 'user' | 'callflow' | 'markup' | 'voiceai_agent' | null
    /** Phone user */
    user: Link | null
    /** Call flow */
    callflow: Link | null
    /** TwiML application */
    markup: Link | null
    /** Voice agent */
    voiceai_agent: Link | null
    /** If unanswered, ring */
    fallback_exten: Link | null
    /** If unanswered, say */
    fallback_message: string | null
    /** Language */
    language: 'ca-ES' | 'cs-CZ' | 'da-DK' | 'de-DE' | 'en-GB' | 'en-US' | 'es-ES' | 'es-MX' | 'fi-FI' | 'fr-FR' | 'hu-HU' | 'is-IS' | 'it-IT' | 'nl-BE' | 'nl-NL' | 'pl-PL' | 'pt-BR' | 'pt-PT' | 'ro-RO' | 'ru-RU' | 'sk-SK' | 'sv-SE' | 'tr-TR' | 'uk-UA' | 'vi-VN' | 'zh-CN' | null
    /** Business hours */
    business_hours: Link | null
    /** When closed, ring */
    closed_exten: Link | null
    /** Closed message */
    closed_message: string | null
    /** Remarks */
    remarks: unknown
    /** Call URL */
    voice_url: string | null
    /** Call event URL */
    voice_status_url: string | null
    /** Call fallback URL */
    voice_fallback_url: string | null
    /** Message URL */
    message_url: string | null
    /** Message fallback URL */
    message_fallback_url: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Outgoing caller ID */
  'connect.telco.outgoing_callerid': {
    id: number
    display_name: string
    /** Number */
    number: string | null
    /** Name */
    friendly_name: string | null
    /** Display name */
    name: string | null
    /** Type */
    callerid_type: 'outgoing_callerid' | 'number' | null
    /** Status */
    status: 'not validated' | 'validated' | 'validation failed' | null
    /** Default */
    is_default: boolean
    /** Used by */
    callerid_users: number[]
    /** Caller ID SID */
    sid: string | null
    /** Sync error (Twilio) */
    sync_error: string | null
    /** Validation code */
    validation_code: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Ring step */
  'connect.telco.user_callflow': {
    id: number
    display_name: string
    /** Phone user */
    user: Link | null
    /** Order */
    prio: number | null
    /** Step */
    callflow_type: 'client' | 'sip' | 'mobile' | 'voicemail' | null
    /** Created by */
    method: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Attempted ring step */
  'connect.telco.user_callflow_call': {
    id: number
    display_name: string
    /** Call */
    call: Link | null
    /** Ring step */
    callflow: Link | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** Message rule */
  'connect.telco.message_configuration': {
    id: number
    display_name: string
    /** Number */
    number: Link | null
    /** Creates */
    destination: 'res.partner' | null
    /** Values of the new entry */
    default_values: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** TwiML application */
  'connect.telco.markup': {
    id: number
    display_name: string
    /** Name */
    name: string | null
    /** Description */
    description: string | null
    /** Application SID */
    sid: string | null
    /** Previous application SID */
    old_sid: string | null
    /** Sync error (Twilio) */
    sync_error: string | null
    /** Type */
    code_type: 'markup' | 'model_method' | null
    /** TwiML */
    markup: string | null
    /** Route of */
    model: 'connect.telco.domain' | null
    /** Route */
    method: 'route_call' | null
    /** Extension */
    exten: Link | null
    /** Short number */
    exten_number: string | null
    /** Call URL */
    voice_url: string | null
    /** Call event URL */
    voice_status_url: string | null
    /** Call fallback URL */
    voice_fallback_url: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** SIP domain */
  'connect.telco.domain': {
    id: number
    display_name: string
    /** Subdomain */
    subdomain: string | null
    /** Name */
    friendly_name: string | null
    /** Application */
    application: Link | null
    /** Domain SID */
    sid: string | null
    /** Credential list SID */
    cred_list_sid: string | null
    /** Sync error (Twilio) */
    sync_error: string | null
    /** Host */
    domain_name: string | null
    /** Edge hosts */
    edge_domains: string | null
    /** Phones may register */
    sip_registration: boolean
    /** Protected from deletion */
    delete_protection: boolean
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** WhatsApp sender */
  'connect.whatsapp_sender': {
    id: number
    display_name: string
    /** Number */
    number: string | null
    /** Sender SID */
    sid: string | null
    /** Sync error (Twilio) */
    sync_error: string | null
    /** Status */
    status: string | null
    /** Address */
    url: string | null
    /** Why it is offline */
    offline_reasons: string | null
    /** Phone number */
    number_id: Link | null
    /** Profile name */
    profile_name: string | null
    /** About */
    profile_about: string | null
    /** Industry */
    profile_vertical: string | null
    /** Postal address */
    profile_address: string | null
    /** Description */
    profile_description: string | null
    /** Logo */
    profile_logo_url: string | null
    /** Banner */
    profile_banner_url: string | null
    /** Privacy policy */
    profile_privacy_url: string | null
    /** Terms of service */
    profile_terms_url: string | null
    /** Accent colour */
    profile_accent_color: string | null
    /** Websites */
    profile_websites: string | null
    /** E-mail addresses */
    profile_emails: string | null
    /** Phone numbers */
    profile_phone_numbers: string | null
    /** Messaging limit */
    messaging_limit: string | null
    /** Quality rating */
    quality_rating: string | null
    /** Application for calls */
    voice_application: Link | null
    /** Don't sync */
    no_sync: boolean
    /** Remarks */
    remarks: unknown
    /** Default */
    is_default: boolean
    /** Message URL */
    callback_url: string | null
    /** Message event URL */
    status_callback_url: string | null
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
  /** WhatsApp template */
  'connect.message_content_template': {
    id: number
    display_name: string
    /** Name */
    friendly_name: string | null
    /** Language */
    language: Link | null
    /** Sender */
    sender_id: Link | null
    /** For */
    model_id: string | null
    /** Content */
    content_type: 'text' | 'media' | 'location' | 'list-picker' | 'call-to-action' | 'quick-reply' | 'card' | 'carousel' | 'catalog' | 'pay' | 'flows' | 'whatsapp/authentication' | 'whatsapp/card' | null
    /** Category */
    category: 'UTILITY' | 'AUTHENTICATION' | 'MARKETING' | null
    /** Variables */
    variables: unknown
    /** Actions */
    actions: unknown
    /** Media of the card */
    media: unknown
    /** Text */
    body: string | null
    /** Template SID */
    sid: string | null
    /** Submit URL */
    approval_create_url: string | null
    /** Approval URL */
    approval_fetch_url: string | null
    /** Created at Twilio */
    date_created: string | null
    /** Updated at Twilio */
    date_updated: string | null
    /** Status */
    status: 'missing' | 'unsubmitted' | 'received' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled' | null
    /** Why it was rejected */
    rejection_reason: string | null
    /** The category may be changed */
    allow_category_change: boolean
    /** Created on */
    create_date: string | null
    /** Last updated on */
    write_date: string | null
    /** Created by */
    create_uid: Link | null
    /** Last updated by */
    write_uid: Link | null
    /** Version */
    write_stamp: string | null
  }
}

/** The methods that a model has of its own: what they take and answer. */
export interface Methods {
  'res.country': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'res.lang': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'res.partner': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Change a note of one’s own */
    message_edit: {
      args: {
        ids?: number[]
        message: number
        body: string
      }
      result: true
    }
    /** Delete a note of one’s own */
    message_delete: {
      args: {
        ids?: number[]
        message: number
      }
      result: true
    }
    /** Look up a contact by number */
    lookup_number: {
      args: {
        ids?: number[]
        number: string
      }
      result: {
        contact: number | null
        matches: {
          id: number
        }[]
      }
    }
    /** Who calls from this number */
    lookup: {
      args: {
        ids?: number[]
        number: string
      }
      result: {
        e164: string | null
        tz: string | null
        match: number | null
        candidates: {
          id: number
        }[]
        forms_tried: ({
          form: 'international' | 'abroad' | 'national' | 'plusless'
          e164: string | null
        })[]
        rule: 'nobody' | 'only_one' | 'oldest' | 'several_companies' | 'company_and_stranger' | 'only_person_of_company' | 'company_of_people'
      }
    }
    /** Possible duplicates */
    duplicates: {
      args: {
        ids?: number[]
        limit?: number
      }
      result: ({
        reason: 'number' | 'email'
        value: string
        ids: number[]
      })[]
    }
    /** Merge contacts */
    merge: {
      args: {
        ids?: number[]
        keep: number
        others: number[]
        fields?: {
          name?: number
          phone?: number
          mobile?: number
          email?: number
          lang?: number
          tz?: number
          is_company?: number
          parent_id?: number
          country_id?: number
          comment?: number
        }
      }
      result: {
        kept: number
        moved: Record<string, unknown>
      }
    }
    /** Erase the person */
    erase: {
      args: {
        ids?: number[]
        confirm: string
      }
      result: {
        erasure: number
        counts: Record<string, unknown>
        is_gone: boolean
      }
    }
    /** Preview an erasure */
    erase_preview: {
      args: {
        ids?: number[]
      }
      result: {
        counts: Record<string, unknown>
        redacted: Record<string, unknown>
        mentions: {
          model: string
          id: number
          fields: string[]
        }[]
        is_complete: boolean
        shared: {
          numbers: string[]
          names: string[]
        }
      }
    }
    /** Contact activity */
    story: {
      args: {
        ids?: number[]
        before?: Record<string, unknown> | null
        limit?: number
        models?: string[]
      }
      result: {
        entries: {
          model: string
          id: number
          at: string
          values: Record<string, unknown>
        }[]
        before: Record<string, unknown> | null
      }
    }
    /** Export a person */
    export_person: {
      args: {
        ids?: number[]
      }
      result: Record<string, unknown>
    }
  }
  'res.groups': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Calls of agents */
    agent_calls: {
      args: {
        ids?: number[]
        given: boolean
      }
      result: true
    }
  }
  'res.users': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Create API key */
    api_key_create: {
      args: {
        ids?: number[]
        name: string
        expires_at?: string | null
      }
      result: {
        id: number
        key: string
      }
    }
    /** Revoke all API keys */
    api_keys_end: {
      args: {
        ids?: number[]
      }
      result: {
        ended: number
      }
    }
    /** Set my preferences */
    set_preferences: {
      args: {
        ids?: number[]
        name?: string
        tz?: string | null
        lang?: string | null
        preferences?: Record<string, unknown>
      }
      result: {
        id: number
      }
    }
    /** Reset two-factor sign-in */
    reset_second_factor: {
      args: {
        ids?: number[]
      }
      result: {
        reset: number
      }
    }
    /** Invite */
    invite: {
      args: {
        ids?: number[]
        name: string
        login: string
        group_ids: number[]
        extension?: string | null
      }
      result: {
        id: number
        link: string
        path: string
        reach: 'public' | 'private' | 'example' | 'missing'
        expires_at: string
      }
    }
    /** Create password link */
    reset_link: {
      args: {
        ids?: number[]
      }
      result: {
        id: number
        link: string
        path: string
        reach: 'public' | 'private' | 'example' | 'missing'
        expires_at: string
      }
    }
    /** Revoke link */
    revoke: {
      args: {
        ids?: number[]
      }
      result: {
        revoked: number
      }
    }
  }
  'res.users.invitation': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'res.users.apikeys': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'res.users.session': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Sign out */
    end: {
      args: {
        ids?: number[]
      }
      result: {
        ended: number
      }
    }
    /** Sign out everywhere else */
    end_others: {
      args: {
        ids?: number[]
      }
      result: {
        ended: number
      }
    }
  }
  'res.users.second_factor': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'res.users.network': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'res.users.recovery_code': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'res.users.sign_on': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.settings': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Explain a bad signature */
    explain_signature: {
      args: {
        ids?: number[]
        delivery_id: number
      }
      result: {
        url?: string
        expected?: string
        differs: string[]
        isSigned: boolean
        sentence: string
      }
    }
    /** Effects of a change */
    impact: {
      args: {
        ids?: number[]
        vals?: Record<string, unknown>
      }
      result: {
        pushes: ({
          provider: 'telco' | 'voiceai'
          what: string
          count: number
        })[]
        carriers: ({
          provider: 'telco' | 'voiceai'
          what: string
          count: number
        })[]
        calls_with_agents: number
      }
    }
    /** Reread all national numbers */
    renumber: {
      args: {
        ids?: number[]
      }
      result: true
    }
    /** Sync with ElevenLabs */
    voiceai_sync: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Sync all tools */
    voiceai_sync_tools: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Regenerate all spoken prompts */
    voiceai_regenerate_prompts: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Check for differences at ElevenLabs */
    voiceai_check: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Turn on the post-call webhook */
    voiceai_enable_webhook: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Remove all tools at ElevenLabs */
    voiceai_remove_tools: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Change the agent token */
    voiceai_reset_token: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number | null
        message: string
      }
    }
    /** Create the post-call secret */
    voiceai_ensure_post_call_secret: {
      args: {
        ids?: number[]
      }
      result: {
        made: boolean
      }
    }
    /** Disconnect the ElevenLabs account */
    voiceai_unbind: {
      args: {
        ids?: number[]
      }
      result: {
        agents: number
        tools: number
      }
    }
    /** Sync with Twilio */
    telco_sync: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Check for differences at Twilio */
    telco_check: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Ask for the balance */
    telco_balance: {
      args: {
        ids?: number[]
      }
      result: {
        balance: string
      }
    }
    /** Start a backup */
    make_backup: {
      args: {
        ids?: number[]
      }
      result: {
        name: string
        state: 'running' | 'done' | 'failed'
        step: string
        kept: string[]
        left: string[]
        held_ms: number | null
        error: string | null
      }
    }
    /** Backup status */
    read_backup: {
      args: {
        ids?: number[]
      }
      result: {
        name: string
        state: 'running' | 'done' | 'failed'
        step: string
        kept: string[]
        left: string[]
        held_ms: number | null
        error: string | null
      }
    }
    /** Run checks */
    run_checks: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Check the public address */
    check_address: {
      args: {
        ids?: number[]
      }
      result: {
        reaches: boolean
        sentence: string
        ms: number
      }
    }
    /** Try a call */
    play_call: {
      args: {
        ids?: number[]
        number: string
      }
      result: {
        since: number
      }
    }
  }
  'connect.erasure': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'mail.message': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.attachment': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.notice': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Mark as read */
    mark_read: {
      args: {
        ids?: number[]
      }
      result: true
    }
    /** Mark as unread */
    mark_unread: {
      args: {
        ids?: number[]
      }
      result: true
    }
  }
  'resource.calendar': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'resource.calendar.attendance': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'calendar.event': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Change a note of one’s own */
    message_edit: {
      args: {
        ids?: number[]
        message: number
        body: string
      }
      result: true
    }
    /** Delete a note of one’s own */
    message_delete: {
      args: {
        ids?: number[]
        message: number
      }
      result: true
    }
  }
  'helpdesk.team': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'helpdesk.stage': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'helpdesk.ticket': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Change a note of one’s own */
    message_edit: {
      args: {
        ids?: number[]
        message: number
        body: string
      }
      result: true
    }
    /** Delete a note of one’s own */
    message_delete: {
      args: {
        ids?: number[]
        message: number
      }
      result: true
    }
    /** Board */
    board: {
      args: {
        ids?: number[]
        team?: number | null
        domain?: unknown[]
        limit?: number
      }
      result: {
        id: number
        name: string
        fold: boolean
        count: number
        rows: {
          id: number
        }[]
      }[]
    }
    /** Move */
    move: {
      args: {
        ids?: number[]
        stage_id: number
        after?: number | null
        from?: number | null
      }
      result: {
        moved: boolean
        stage: {
          id: number
          name: string
        } | null
        after: number | null
        by: string | null
        seconds_ago: number | null
      }
    }
    /** Find tickets by words */
    find: {
      args: {
        ids?: number[]
        text: string
      }
      result: {
        ids: number[]
        is_whole: boolean
      }
    }
  }
  'connect.call': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Change a note of one’s own */
    message_edit: {
      args: {
        ids?: number[]
        message: number
        body: string
      }
      result: true
    }
    /** Delete a note of one’s own */
    message_delete: {
      args: {
        ids?: number[]
        message: number
      }
      result: true
    }
    /** Timeline */
    timeline: {
      args: {
        ids?: number[]
      }
      result: {
        began_at: string | null
        strip: unknown[]
        moments: ({
          at: string
          ms: number
          provider_at?: string
          kind: string
          lane: 'speech' | 'tools' | 'routing' | 'status' | 'records'
          title: string
          params: Record<string, unknown>
          sentence: string
          leg?: number
          ref?: [string, number]
          delivery?: number
          took_ms?: number
          budget_ms?: number
          verdict?: string
          has_raw: boolean
        })[]
        audio: ({
          ref: [string, number]
          address: string | null
          from_ms: number
          to_ms: number
          why: 'words_only' | 'being_fetched' | null
        })[]
      }
    }
    /** Statistics */
    stats: {
      args: {
        ids?: number[]
        from: string
        to: string
        tz?: string
        by?: 'hour' | 'day'
      }
      result: {
        total: number
        agent: number
        person: number
        agent_person: number
        missed: number
        given_up: number
        voicemail: number
        busy: number
        no_answer: number
        failed: number
        in_progress: number
        incoming: number
        tickets: number
        talk_seconds: number
        wait_p50: number | null
        wait_p90: number | null
        parts: {
          at: string
          total: number
          agent: number
          person: number
          agent_person: number
          missed: number
          given_up: number
          voicemail: number
          busy: number
          no_answer: number
          failed: number
          in_progress: number
          incoming: number
          tickets: number
          talk_seconds: number
        }[]
      }
    }
    /** Call back list */
    to_call_back: {
      args: {
        ids?: number[]
        limit?: number
      }
      result: ({
        ids: number[]
        number: string
        partner: [number, string] | null
        at: string
        since: string
        outcome: string
        agent_not_reached: boolean
        voicemail_seconds: number | null
        may_settle: boolean
      })[]
    }
    /** Mark as called back */
    callback_done: {
      args: {
        ids?: number[]
      }
      result: number
    }
    /** Not called back after all */
    callback_undone: {
      args: {
        ids?: number[]
      }
      result: number
    }
    /** Delete voicemail */
    delete_voicemail: {
      args: {
        ids?: number[]
      }
      result: number
    }
    /** Why it ended so */
    explain: {
      args: {
        ids?: number[]
      }
      result: {
        code: string
        params: Record<string, unknown>
        sentence: string
        because: ({
          code: string
          params: Record<string, unknown>
          sentence: string
          moment: number | null
        })[]
        fixes: ({
          code: string
          params: Record<string, unknown>
          sentence: string
          action?: {
            kind: 'synchronise' | 'settings' | 'call_back' | 'call_again' | 'record' | 'delivery'
            provider?: string
            number?: string
            model?: string
            id?: number
          }
        })[]
        promises: {
          code: string
          params: Record<string, unknown>
          sentence: string
          kind: string
          is_kept: boolean
          moment: number
        }[]
        open: {
          code: string
          params: Record<string, unknown>
          sentence: string
          kind: string
          is_kept: boolean
          moment: number
        }[]
      }
    }
    /** Forward */
    forward: {
      args: {
        ids?: number[]
        number: string
      }
      result: true
    }
    /** Transfer */
    transfer: {
      args: {
        ids?: number[]
        exten: string
      }
      result: true
    }
    /** Hang up */
    hang_up: {
      args: {
        ids?: number[]
      }
      result: true
    }
    /** Start recording */
    start_recording: {
      args: {
        ids?: number[]
      }
      result: {
        state: 'on' | 'off'
        channel_sid: string | null
        recording_sid: string | null
      }
    }
    /** Stop recording */
    stop_recording: {
      args: {
        ids?: number[]
      }
      result: {
        state: 'on' | 'off'
        channel_sid: string | null
        recording_sid: string | null
      }
    }
    /** Recording state */
    recording_state: {
      args: {
        ids?: number[]
      }
      result: {
        state: 'on' | 'off'
        channel_sid: string | null
        recording_sid: string | null
      }
    }
  }
  'connect.channel': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.recording': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Change a note of one’s own */
    message_edit: {
      args: {
        ids?: number[]
        message: number
        body: string
      }
      result: true
    }
    /** Delete a note of one’s own */
    message_delete: {
      args: {
        ids?: number[]
        message: number
      }
      result: true
    }
  }
  'connect.voicemail': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.media_removal': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.conversation': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Mark as read */
    mark_read: {
      args: {
        ids?: number[]
      }
      result: true
    }
    /** Say that I am answering */
    answering: {
      args: {
        ids?: number[]
        is_over?: boolean
      }
      result: true
    }
    /** Assign */
    assign: {
      args: {
        ids?: number[]
        user: number | null
      }
      result: true
    }
    /** Close */
    close: {
      args: {
        ids?: number[]
      }
      result: true
    }
    /** Reopen */
    reopen: {
      args: {
        ids?: number[]
      }
      result: true
    }
  }
  'connect.conversation.reader': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.message': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Conversations */
    conversations: {
      args: {
        ids?: number[]
        filter?: 'all' | 'open' | 'unread' | 'failed' | 'mine'
        search?: string
        before?: number
        limit?: number
        party?: {
          channel: string
          ours: string
          theirs: string
        }
      }
      result: ({
        id: number
        channel: string
        ours: string
        theirs: string
        partner: [number, string] | null
        last: {
          id: number
          body: string | null
          direction: string | null
          status: string | null
          num_media: number
          create_date: string
        }
        unread: number
        failed: number
        window_until: string | null
        assigned: [number, string] | null
        closed_at: string | null
        position: number
      })[]
    }
    /** Count the conversations */
    conversation_counts: {
      args: {
        ids?: number[]
      }
      result: {
        open: number
        unread: number
        failed: number
        mine: number
      }
    }
    /** Send a message */
    send: {
      args: {
        ids?: number[]
        to: string
        body?: string
        message_type?: 'sms' | 'WhatsApp'
        from?: string
        template_id?: number
        template_variables?: Record<string, unknown>
        media_urls?: string[]
        res_model?: string
        res_id?: number
      }
      result: number
    }
    /** Try again */
    retry: {
      args: {
        ids?: number[]
      }
      result: true
    }
    /** Why messages can't be sent */
    sending_obstacle: {
      args: {
        ids?: number[]
        to?: string
        from?: string
        message_type?: 'sms' | 'WhatsApp'
      }
      result: {
        obstacle: string | null
        opted_out_at: string | null
        cannot_answer: boolean
      }
    }
  }
  'connect.delivery': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Statistics */
    stats: {
      args: {
        ids?: number[]
        from: string
        to: string
        by: 'minute' | 'hour'
      }
      result: {
        total: number
        handled: number
        refused: number
        rejected: number
        failed: number
        p50_ms: number | null
        p95_ms: number | null
        is_whole: boolean
        parts: {
          at: string
          total: number
          handled: number
          refused: number
          rejected: number
          failed: number
        }[]
      }
    }
    /** Explain */
    explain: {
      args: {
        ids?: number[]
      }
      result: {
        id: number
        route: string
        verdict: string
        sentence: string
      }
    }
    /** Compare with now */
    compare: {
      args: {
        ids?: number[]
      }
      result: {
        then: {
          verdict: string
          status: number
          body: string
        }
        now: {
          verdict: string
          status: number
          body: string
        }
        is_same: boolean
      }
    }
    /** Replay */
    replay: {
      args: {
        ids?: number[]
      }
      result: ({
        id: number
        is_replayed: boolean
        call: number | null
        sentence: string | null
      })[]
    }
  }
  'connect.inbox': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Try again */
    replay: {
      args: {
        ids?: number[]
      }
      result: {
        replayed: number
      }
    }
    /** Try all again */
    replay_matching: {
      args: {
        ids?: number[]
        domain: unknown[]
      }
      result: {
        replayed: number
      }
    }
  }
  'connect.tool_answer': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.lease': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.job': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Try again now */
    retry: {
      args: {
        ids?: number[]
      }
      result: {
        jobs: number
      }
    }
    /** Discard */
    drop: {
      args: {
        ids?: number[]
      }
      result: {
        jobs: number
      }
    }
  }
  'connect.sync_run': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Cancel */
    cancel: {
      args: {
        ids?: number[]
      }
      result: {
        cancelled: number
      }
    }
  }
  'connect.audit': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.check_run': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.seed': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.view': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.voiceai_agent': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Save draft */
    save_draft: {
      args: {
        ids?: number[]
        vals: Record<string, unknown>
        seen?: Record<string, unknown>
        unchanged_since?: string | null
      }
      result: {
        stamp: string | null
        fields: string[]
      }
    }
    /** Publish */
    publish_draft: {
      args: {
        ids?: number[]
        unchanged_since?: string | null
      }
      result: {
        fields: string[]
      }
    }
    /** Discard draft */
    discard_draft: {
      args: {
        ids?: number[]
        unchanged_since?: string | null
      }
      result: boolean
    }
    /** Prompt and greeting of a new agent */
    set_up_texts: {
      args: {
        ids?: number[]
        name?: string
        does?: string
        openings?: {
          dayofweek: string
          hour_from: number
          hour_to: number
        }[]
        may?: ('answer' | 'message' | 'book' | 'tickets' | 'hand_over')[]
        person?: number
        mobile?: string
        voice?: number
        language?: string
      }
      result: {
        prompt: string
        first_message: string
      }
    }
    /** Set up an agent */
    set_up: {
      args: {
        ids?: number[]
        name?: string
        does?: string
        openings?: {
          dayofweek: string
          hour_from: number
          hour_to: number
        }[]
        may?: ('answer' | 'message' | 'book' | 'tickets' | 'hand_over')[]
        person?: number
        mobile?: string
        voice?: number
        language?: string
        prompt?: string
        first_message?: string
        announces_ai?: boolean
        number?: number
      }
      result: {
        agent: number
        extension: number | null
        business_hours: number | null
        number: number | null
      }
    }
    /** Talk to it */
    start_trial: {
      args: {
        ids?: number[]
        draft: boolean
        kind: 'text' | 'voice'
        caller?: string | null
        partner?: number | null
      }
      result: {
        trial: number
        url: string
        opening: unknown
        is_draft: boolean
        missing_tools: string[]
        is_emulated: boolean
      }
    }
  }
  'connect.voiceai_agent_prompt': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.voiceai_agent_draft': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.voiceai_agent_transfer': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.voiceai_knowledge': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Read again */
    read_again: {
      args: {
        ids?: number[]
      }
      result: {
        reading: number
      }
    }
  }
  'connect.voiceai_question': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Answer */
    give_answer: {
      args: {
        ids?: number[]
        answer: string
        question?: string
      }
      result: {
        knowledge: number
      }
    }
    /** Dismiss */
    dismiss: {
      args: {
        ids?: number[]
      }
      result: {
        dismissed: number
      }
    }
  }
  'connect.voiceai_agent_template': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Add the appointment assistant */
    add_appointment_assistant: {
      args: {
        ids?: number[]
      }
      result: number
    }
  }
  'connect.voiceai_agent_tool': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Statistics */
    stats: {
      args: {
        ids?: number[]
        from: string
        to: string
      }
      result: ({
        id: number
        name: string
        calls: number
        errors: number
        p50_ms: number | null
        p95_ms: number | null
        budget_ms: number | null
      })[]
    }
    /** Try */
    try: {
      args: {
        ids?: number[]
        arguments: Record<string, unknown>
        call?: number | null
        commit?: boolean
      }
      result: {
        status: number
        body: string
        ms: number
        is_kept: boolean
      }
    }
  }
  'connect.agent_tool_params': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.voiceai_trial': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** End */
    end: {
      args: {
        ids?: number[]
      }
      result: {
        ended: number
      }
    }
  }
  'connect.voiceai_voice': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.voiceai_file': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.user': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Find colleagues */
    colleague_search: {
      args: {
        ids?: number[]
        query?: string
      }
      result: ({
        id: number
        name: string
        user_id: number
        exten_number: string | null
      })[]
    }
    /** Call */
    originate: {
      args: {
        ids?: number[]
        number: string
        whatsapp?: boolean
        partner_id?: number
      }
      result: {
        call_id: number | null
        channel_sid: string
      }
    }
    /** Sign in the web phone */
    web_phone_token: {
      args: {
        ids?: number[]
      }
      result: {
        token: false
      } | {
        token: string
        identity: string
        expires_in: number
        edge: string | null
        record_calls: boolean
        extension: string | null
        caller_id: string | null
      }
    }
  }
  'connect.favorite': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.debug': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.outgoing_count': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.exten': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Duplicate */
    copy: {
      args: {
        ids?: number[]
      }
      result: number[]
    }
  }
  'connect.telco.callflow': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.callflow_choice': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.business_hours': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.opening': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.holiday': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.number': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Change a note of one’s own */
    message_edit: {
      args: {
        ids?: number[]
        message: number
        body: string
      }
      result: true
    }
    /** Delete a note of one’s own */
    message_delete: {
      args: {
        ids?: number[]
        message: number
      }
      result: true
    }
    /** Sync numbers */
    sync: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Try a call */
    rehearse: {
      args: {
        ids?: number[]
        to?: string | null
        from?: string | null
        at?: string | null
        inputs?: ({
          press: string
        } | {
          say: string
        })[]
      }
      result: {
        from: string
        to: string
        at: string
        moment: string
        zone: string
        steps: {
          what: string
          detail: string
        }[]
      }
    }
    /** Search for numbers */
    search_available: {
      args: {
        ids?: number[]
        country: string
        kind: 'local' | 'mobile' | 'toll_free'
        area?: string | null
        voice?: boolean
        sms?: boolean
      }
      result: {
        monthly: {
          amount: string
          currency: string
        } | null
        numbers: ({
          number: string
          locality: string | null
          region: string | null
          voice: boolean
          sms: boolean
          mms: boolean
          address_requirements: 'none' | 'any' | 'local' | 'foreign'
          beta: boolean
        })[]
      }
    }
    /** List countries with numbers */
    purchase_countries: {
      args: {
        ids?: number[]
      }
      result: ({
        code: string
        kinds: ('local' | 'mobile' | 'toll_free')[]
      })[]
    }
    /** List papers for a number */
    purchase_papers: {
      args: {
        ids?: number[]
        country: string
        kind: 'local' | 'mobile' | 'toll_free'
      }
      result: {
        papers: string[]
        addresses: {
          sid: string
          name: string
          place: string
          country: string
        }[]
        bundles: {
          sid: string
          name: string
        }[]
      }
    }
    /** Buy a number */
    buy: {
      args: {
        ids?: number[]
        number: string
        country: string
        kind: 'local' | 'mobile' | 'toll_free'
        monthly: {
          amount: string
          currency: string
        }
        address_sid?: string | null
        bundle_sid?: string | null
      }
      result: {
        id: number
        number: string
        is_new: boolean
      }
    }
  }
  'connect.telco.outgoing_callerid': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Sync caller IDs */
    sync: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Validate */
    validate: {
      args: {
        ids?: number[]
      }
      result: {
        validation_code: string | null
        status: string
        message: string
      }
    }
  }
  'connect.telco.user_callflow': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.user_callflow_call': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.message_configuration': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
  }
  'connect.telco.markup': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Sync applications */
    sync: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Try template */
    preview: {
      args: {
        ids?: number[]
        markup?: string
        fields?: Record<string, unknown>
      }
      result: {
        markup: string
        problems: string[]
      }
    }
  }
  'connect.telco.domain': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Sync SIP domains */
    sync: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
  }
  'connect.whatsapp_sender': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Sync senders */
    sync: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Route calls to a voice agent */
    route_to_agent: {
      args: {
        ids?: number[]
        agent_id: number
      }
      result: number[]
    }
  }
  'connect.message_content_template': {
    /** Describe the methods */
    methods_get: {
      args: {
        ids?: number[]
      }
      result: Record<string, {
        label: string
        takes: string
        confirm?: string
        arguments: Record<string, unknown>
        allowed: boolean
        danger?: boolean
      }>
    }
    /** What a deletion takes along */
    consequences: {
      args: {
        ids?: number[]
      }
      result: ({
        model: string
        label: string
        what: 'deleted' | 'kept' | 'refused'
        count: number
      })[]
    }
    /** Sync templates */
    sync: {
      args: {
        ids?: number[]
      }
      result: {
        run_id: number
      }
    }
    /** Submit for approval */
    submit: {
      args: {
        ids?: number[]
      }
      result: {
        id: number
        sid: string
        status: unknown
      }
    }
    /** Fetch the status */
    fetch_status: {
      args: {
        ids?: number[]
      }
      result: {
        id: number
        status: unknown
      }[]
    }
  }
}
