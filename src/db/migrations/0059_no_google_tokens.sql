-- Google's tokens are used during the sign-in only, and are no longer stored.
update sign_in_methods
set access_token = null, refresh_token = null, id_token = null, access_token_expires_at = null, refresh_token_expires_at = null
where coalesce(access_token, refresh_token, id_token) is not null
  or access_token_expires_at is not null or refresh_token_expires_at is not null;
