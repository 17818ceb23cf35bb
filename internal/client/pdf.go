package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"
)

// ExportPDF writes a PDF of a space, or of one page of it and those below when page is not "", to a new file and
// returns its size in bytes. It waits until the server has made it.
func (c *Client) ExportPDF(ctx context.Context, space, page, file string) (size int64, err error) {
	query := ""
	if page != "" {
		query = "?page=" + url.QueryEscape(page)
	}
	var ordered struct{ URL string }
	if err := c.do(ctx, http.MethodGet, "/v1/spaces/"+url.PathEscape(space)+"/pdf"+query, "", nil, nil,
		&ordered); err != nil {
		return 0, err
	}
	response, err := c.await(ctx, ordered.URL)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return 0, fmt.Errorf("%s is there already: name a new file", file)
	}
	if err != nil {
		return 0, fmt.Errorf("make the file: %w", err)
	}
	size, err = io.Copy(out, response.Body)
	if err = errors.Join(err, out.Close()); err != nil {
		return 0, errors.Join(fmt.Errorf("receive the PDF: %w", err), os.Remove(file))
	}
	return size, nil
}

// await gets what an address without a token answers, again and again while the server says that it is not ready.
func (c *Client) await(ctx context.Context, address string) (*http.Response, error) {
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return nil, fmt.Errorf("make the request: %w", err)
		}
		response, err := c.http.Do(request)
		if err != nil {
			return nil, fmt.Errorf("cannot reach %s: %w", address, err)
		}
		if response.StatusCode == http.StatusOK {
			return response, nil
		}
		pause, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		failure := errors.Join(refusal(response), response.Body.Close())
		if response.StatusCode != http.StatusServiceUnavailable {
			return nil, failure
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration(min(max(pause, 1), 60)) * time.Second):
		}
	}
}
